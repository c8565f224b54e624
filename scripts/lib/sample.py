"""Estimates a long run from some of its frames (scripts/attila-sample): counts features of all
frames in functional mode, simulates those that are drawn from hot starts, and goes on until the
cycles are known well enough. Not here: which frames are drawn and what they say about the others
(sample_estimate.py)."""
import argparse
import csv
import functools
import os
import shutil
import subprocess
import sys

import sample_estimate

FIRST = 12  # frames to begin with
HOST = {"host_seconds", "cpu_seconds", "kcycles_per_s"}


def fail(message, status=1):
    print("attila-sample: " + message, file=sys.stderr)
    sys.exit(status)


# --- Runs ---

def frame_list(frames):
    """"3,7-9" of numbers."""
    ranges = []
    for f in sorted(frames):
        if ranges and ranges[-1][1] == f - 1:
            ranges[-1][1] = f
        else:
            ranges.append([f, f])
    return ",".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in ranges)


@functools.cache
def rows_of(path):
    with open(path, newline="") as f:
        return {int(r["frame"]): r for r in csv.DictReader(f)}


def simulate(o, frames, number):
    """Rows of frames.csv by frame."""
    if o.rehearse:
        return {f: rows_of(o.truth)[f] for f in frames}
    out = os.path.join(o.out, "round-%d" % number)
    command = [o.sim, "run", o.capture, "--frames", frame_list(frames), "--jobs", str(o.jobs),
               "--warm-up", str(o.warm_up), "--mode", o.mode, "--out", out,
               "--draws-frames", "4294967294"] + o.machine
    result = subprocess.run(command, stdout=subprocess.DEVNULL)
    if result.returncode:
        fail("simulating failed (status %d)" % result.returncode)
    rows = rows_of(os.path.join(out, "frames.csv"))
    shutil.rmtree(out)
    return rows


def read_features(o):
    path = os.path.join(o.out, "features.csv")
    with open(path, "w") as f:
        if subprocess.run([o.sim, "features", o.capture] + o.part, stdout=f).returncode:
            fail("%s cannot be replayed" % o.capture)
    with open(path, newline="") as f:
        reader = csv.reader(f)
        next(reader)  # their names
        rows = [[int(v) for v in r] for r in reader]
    if not rows:
        fail("%s has no whole frame%s" % (o.capture, " of these" if o.part else ""))
    return rows


def write_csv(path, names, rows):
    with open(path, "w", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def write_results(o, model, sampled):
    columns = [c for c in next(iter(sampled.values())) if c not in HOST and
               c not in ("frame", "start_cycle", "end_cycle")]
    rows = []
    for c in columns:
        total, half = model.estimate([row[c] for row in sampled.values()])
        rows.append([c, "%.0f" % total, "%.0f" % half,
                     "%.3f" % (100 * half / total) if total else "0"])
    write_csv(os.path.join(o.out, "estimate.csv"),
              ["statistic", "total", "half_interval", "percent"], rows)
    frames = sorted(sampled)
    write_csv(os.path.join(o.out, "sampled.csv"), list(sampled[frames[0]]),
              [list(sampled[f].values()) for f in frames])


def compare(o, total, half, sampled, frames):
    truth = {f: int(rows_of(o.truth)[f]["cycles"]) for f in frames}
    right = sum(truth[f] for f in frames)
    print("truth: %d cycles; the estimate is off by %+.3f %%, the interval %s it; work: 1/%.1f" % (
        right, 100 * (total / right - 1), "has" if abs(total - right) <= half else "misses",
        right / sum(truth[f] for f in sampled)))


def number_from(kind, least):
    def read(text):
        value = kind(text)
        if value < least:
            raise argparse.ArgumentTypeError("%s is less than %s" % (text, least))
        return value
    return read


def options():
    p = argparse.ArgumentParser(prog="attila-sample", add_help=False)
    p.add_argument("sim")
    p.add_argument("capture")
    p.add_argument("--out", required=True)
    p.add_argument("--error", type=number_from(float, 0.001), default=1.0)
    p.add_argument("--confidence", type=number_from(float, 1), default=95.0)
    p.add_argument("--hot-error", type=number_from(float, 0), default=0.2)
    p.add_argument("--frames")
    p.add_argument("--most", type=number_from(int, 1))
    p.add_argument("--jobs", type=number_from(int, 1), default=os.cpu_count())
    p.add_argument("--warm-up", type=number_from(int, 0), default=0)
    p.add_argument("--seed", type=number_from(int, 0), default=1)
    p.add_argument("--truth")
    p.add_argument("--rehearse", action="store_true")
    p.add_argument("--mode", choices=["cycle", "half"], default="cycle")
    p.add_argument("--config")
    p.add_argument("--set", action="append", default=[])
    o = p.parse_args()
    if o.confidence >= 100:
        p.error("--confidence must be below 100")
    if o.rehearse and not o.truth:
        p.error("--rehearse takes frames from --truth, which is missing")
    if o.truth and not os.path.isfile(o.truth):
        p.error("--truth %s: there is no such file" % o.truth)
    if o.error <= o.hot_error:
        p.error("--error %g cannot hold: hot starts alone have %g (--hot-error)" % (
            o.error, o.hot_error))
    o.part = ["--frames", o.frames] if o.frames else []
    o.machine = (["--config", o.config] if o.config else []) + [x for s in o.set
                                                                for x in ("--set", s)]
    return o


def main():
    o = options()
    try:
        os.makedirs(o.out)
    except OSError as e:
        fail("%s: %s" % (o.out, e.strerror), 2 if isinstance(e, FileExistsError) else 1)
    rows = read_features(o)
    frames = [r[0] for r in rows]
    if o.truth and any(f not in rows_of(o.truth) for f in frames):
        fail("%s does not have all frames" % o.truth)
    if len(frames) < 2:
        fail("%s has one frame: simulate it" % o.capture)
    features = sample_estimate.standardise([r[1:] for r in rows])
    order = sample_estimate.spread_out(len(frames), o.seed)
    most = min(o.most or len(frames), len(frames))
    if most < min(FIRST, len(frames)):
        fail("--most %d: a sample begins with %d frames" % (most, min(FIRST, len(frames))), 2)
    sampled, count, number = {}, min(FIRST, most), 0
    while True:
        new = [frames[i] for i in order[len(sampled):count]]
        rows_of_new = simulate(o, new, number)
        sampled.update({f: rows_of_new[f] for f in new})
        number += 1
        model = sample_estimate.Sample(features, order[:count], o.confidence / 100,
                                       o.hot_error / 100)
        total, half = model.estimate([row["cycles"] for row in sampled.values()])
        print("%d of %d frames: %.0f cycles +- %.0f (%.3f %%, confidence %g %%)" % (
            count, len(frames), total, half, 100 * half / total, o.confidence), flush=True)
        if half <= o.error / 100 * total or count == most:
            break
        count = min(most, count + max(4, count // 4))
    write_results(o, model, sampled)
    if o.truth:
        compare(o, total, half, sampled, frames)
    return 0 if half <= o.error / 100 * total else 1


if __name__ == "__main__":
    sys.exit(main())
