"""Estimates a long run from some of its frames (scripts/attila-sample).

Frames are put in groups by their features: k-means on standardised features, with the number of
groups that the Bayesian information criterion prefers (SimPoint, MEGsim). The groups are strata:
frames of each are drawn by chance without replacement, and the total is the sum over groups of
frames times mean. Its variance and the interval are those of a stratified sample with finite
populations; degrees of freedom by Satterthwaite. What hot starts are off by is the same way for
many frames, so an allowance for it is added, whatever the sample's size. Frames are added where
they lower the variance most (Neyman). A group of which all frames were simulated is known exactly,
but for hot starts."""
import argparse
import csv
import math
import os
import random
import shutil
import subprocess
import sys

GROUPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 26, 30)  # numbers that are tried
FEW = 500  # points that are enough to choose among them
FIRST = 3  # frames of a group to begin with
HOST = {"host_seconds", "cpu_seconds", "kcycles_per_s"}


def fail(message, status=1):
    print("attila-sample: " + message, file=sys.stderr)
    sys.exit(status)


# --- Groups ---

def standardise(rows):
    """Columns that vary, on one scale: the logarithm tames frames that upload a level."""
    columns = []
    for column in zip(*rows):
        middle = sorted(column)[len(column) // 2]
        tame = max(column) > 100 * (middle + 1)
        values = [math.log1p(v) if tame else v for v in column]
        mean = sum(values) / len(values)
        deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
        if deviation > 0:
            columns.append([(v - mean) / deviation for v in values])
    return [list(row) for row in zip(*columns)] if columns else [[0.0] for _ in rows]


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def k_means(points, k, chance):
    """Groups of points, their number, and the sum of squared distances to their means."""
    centres = [chance.choice(points)]
    nearest = [distance(p, centres[0]) for p in points]
    while len(centres) < k:  # k-means++
        pick = chance.random() * sum(nearest)
        for p, d in zip(points, nearest):
            pick -= d
            if pick <= 0:
                break
        centres.append(p)
        nearest = [min(d, distance(q, p)) for q, d in zip(points, nearest)]
    group = None
    for _ in range(25):
        new = [min(range(k), key=lambda c: distance(p, centres[c])) for p in points]
        if new == group:
            break
        group = new
        for c in range(k):
            members = [p for p, g in zip(points, group) if g == c]
            if members:
                centres[c] = [sum(x) / len(members) for x in zip(*members)]
    return group, k, sum(distance(p, centres[g]) for p, g in zip(points, group))


def bic(points, group, k, error):
    """Of spherical groups with one variance (Pelleg and Moore, X-means)."""
    n, d = len(points), len(points[0])
    if n <= k:
        return -math.inf
    variance = max(error / (d * (n - k)), 1e-9)
    sizes = [group.count(c) for c in range(k)]
    likelihood = sum(s * math.log(s / n) for s in sizes if s) \
        - n * d / 2 * math.log(2 * math.pi * variance) - d * (n - k) / 2
    return likelihood - (k * (d + 1)) / 2 * math.log(n)


def find_groups(points, seed):
    """Lists of frames."""
    few = points if len(points) <= FEW else random.Random(seed).sample(points, FEW)
    tries = []
    for k in GROUPS:
        if k > 1 and k > len(few) // (2 * FIRST):
            break
        tries.append((bic(few, *k_means(few, k, random.Random(seed * 1000 + k))), k))
    worst, best = min(tries)[0], max(tries)[0]
    # The smallest number that is nearly as good as the best, as SimPoint chooses.
    k = next(k for b, k in tries if b >= worst + 0.9 * (best - worst))
    group, _, _ = k_means(points, k, random.Random(seed * 1000 + k))
    lists = {}
    for frame, g in enumerate(group):
        lists.setdefault(g, []).append(frame)
    return sorted(lists.values())


# --- Estimates ---

def t_quantile(confidence, freedom):
    """Two-sided quantile of Student's distribution, by bisection of its integral."""
    freedom = min(freedom, 200)
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) \
        / math.sqrt(freedom * math.pi)

    def within(t):
        # Substituting tan keeps the tail of few degrees of freedom.
        steps, top = 200, math.atan(t)
        h = top / steps
        f = [scale * (1 + math.tan(i * h) ** 2 / freedom) ** (-(freedom + 1) / 2) *
             (1 + math.tan(i * h) ** 2) for i in range(steps + 1)]
        return 2 * h / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))
    low, high = 0.0, 700.0
    for _ in range(60):
        t = (low + high) / 2
        low, high = (t, high) if within(t) < confidence else (low, t)
    return high


def spread(values):
    """Sample variance; of one value nothing is known."""
    if len(values) < 2:
        return 0.0
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / (len(values) - 1)


def estimate(groups, sampled, column, o):
    """Total of a statistic, and half of its interval: of the sample, and of hot starts."""
    total, variance, parts = 0.0, 0.0, []
    for frames in groups:
        values = [float(sampled[f][column]) for f in frames if f in sampled]
        size, n = len(frames), len(values)
        total += size * sum(values) / n
        if n < size:
            part = size * size * (1 - n / size) * spread(values) / n
            variance += part
            parts.append((part, n - 1))
    hot = o.hot_error / 100 * total
    if variance <= 0:
        return total, hot
    freedom = variance ** 2 / sum(p * p / f for p, f in parts if p > 0)
    return total, hot + t_quantile(o.confidence / 100, max(freedom, 1.0)) * math.sqrt(variance)


def add_frames(groups, sampled, orders, count):
    """Which further frames lower the variance of the cycles most."""
    chosen = {i: sum(f in sampled for f in g) for i, g in enumerate(groups)}
    spreads = {i: spread([float(sampled[f]["cycles"]) for f in g if f in sampled])
               for i, g in enumerate(groups)}
    new = []
    for _ in range(count):
        def gain(i):
            size, n = len(groups[i]), chosen[i]
            return size * size * spreads[i] * (1 / n - 1 / (n + 1)) if n < size else -1.0
        i = max(sorted(chosen), key=gain)
        if gain(i) <= 0:
            break
        new.append(orders[i][chosen[i]])
        chosen[i] += 1
    return new


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


def simulate(o, frames, number):
    """Rows of frames.csv by frame."""
    out = os.path.join(o.out, "round-%d" % number)
    command = [o.sim, "run", o.capture, "--frames", frame_list(frames), "--jobs", str(o.jobs),
               "--warm-up", str(o.warm_up), "--mode", o.mode, "--out", out,
               "--draws-frames", "4294967294"] + o.machine
    result = subprocess.run(command, stdout=subprocess.DEVNULL)
    if result.returncode:
        fail("simulating failed (status %d)" % result.returncode)
    with open(os.path.join(out, "frames.csv"), newline="") as f:
        rows = {int(r["frame"]): r for r in csv.DictReader(f)}
    shutil.rmtree(out)
    return rows


def read_features(o):
    path = os.path.join(o.out, "features.csv")
    with open(path, "w") as f:
        if subprocess.run([o.sim, "features", o.capture], stdout=f).returncode:
            fail("%s cannot be replayed" % o.capture)
    with open(path, newline="") as f:
        reader = csv.reader(f)
        names = next(reader)
        rows = [[int(v) for v in r] for r in reader]
    if not rows:
        fail("%s has no whole frame" % o.capture)
    return path, names, rows


def write_csv(path, names, rows):
    with open(path, "w", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def write_results(o, groups, sampled):
    columns = [c for c in next(iter(sampled.values())) if c not in HOST and
               c not in ("frame", "start_cycle", "end_cycle")]
    rows = []
    for c in columns:
        total, half = estimate(groups, sampled, c, o)
        rows.append([c, "%.0f" % total, "%.0f" % half,
                     "%.3f" % (100 * half / total) if total else "0"])
    write_csv(os.path.join(o.out, "estimate.csv"),
              ["statistic", "total", "half_interval", "percent"], rows)
    frames = sorted(sampled)
    write_csv(os.path.join(o.out, "sampled.csv"), list(sampled[frames[0]]),
              [list(sampled[f].values()) for f in frames])


def compare(o, groups, sampled, frames):
    with open(o.truth, newline="") as f:
        truth = {int(r["frame"]): int(r["cycles"]) for r in csv.DictReader(f)}
    if any(f not in truth for f in range(frames)):
        fail("%s does not have all frames" % o.truth)
    right = sum(truth[f] for f in range(frames))
    total, half = estimate(groups, sampled, "cycles", o)
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
    p.add_argument("--most", type=number_from(int, 1))
    p.add_argument("--jobs", type=number_from(int, 1), default=os.cpu_count())
    p.add_argument("--warm-up", type=number_from(int, 0), default=0)
    p.add_argument("--seed", type=number_from(int, 0), default=1)
    p.add_argument("--truth")
    p.add_argument("--mode", choices=["cycle", "half"], default="cycle")
    p.add_argument("--config")
    p.add_argument("--set", action="append", default=[])
    o = p.parse_args()
    if o.confidence >= 100:
        p.error("--confidence must be below 100")
    if o.error <= o.hot_error:
        p.error("--error %g cannot hold: hot starts alone have %g (--hot-error)" % (
            o.error, o.hot_error))
    o.machine = (["--config", o.config] if o.config else []) + [x for s in o.set
                                                                for x in ("--set", s)]
    return o


def main():
    o = options()
    try:
        os.makedirs(o.out)
    except OSError as e:
        fail("%s: %s" % (o.out, e.strerror), 2 if isinstance(e, FileExistsError) else 1)
    path, names, rows = read_features(o)
    groups = find_groups(standardise([r[1:] for r in rows]), o.seed)
    kind = {f: i for i, g in enumerate(groups) for f in g}
    write_csv(path, names + ["group"], [r + [kind[r[0]]] for r in rows])
    orders = [random.Random(o.seed * 7919 + i).sample(g, len(g)) for i, g in enumerate(groups)]
    most = min(o.most or len(rows), len(rows))
    new = [f for order in orders for f in order[:FIRST]]
    if len(new) > most:
        fail("--most %d: %d kinds of frames need %d" % (most, len(groups), len(new)), 2)
    sampled, number = {}, 0
    while new:
        sampled.update(simulate(o, new, number))
        number += 1
        total, half = estimate(groups, sampled, "cycles", o)
        print("%d of %d frames, %d kinds: %.0f cycles +- %.0f (%.3f %%, confidence %g %%)" % (
            len(sampled), len(rows), len(groups), total, half, 100 * half / total, o.confidence),
            flush=True)
        if half <= o.error / 100 * total:
            break
        new = add_frames(groups, sampled, orders,
                         min(max(o.jobs, len(sampled) // 4), most - len(sampled)))
    write_results(o, groups, sampled)
    if o.truth:
        compare(o, groups, sampled, len(rows))
    return 0 if half <= o.error / 100 * total else 1


if __name__ == "__main__":
    sys.exit(main())
