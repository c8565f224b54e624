"""How often intervals of attila-sample have the truth, on runs made up here, whose cycles are
known: of many programs one after the other, of one program whose scenes change slowly, and of both.
What the features do not tell is in each: programs cost different cycles for the same work, some
frames of a program cost more than its others, and each begins with a frame that loads. Frames are
drawn by many seeds (the same each time). Prints a line for each run, and ends with 1 if too few
intervals have the truth, or if so many frames are drawn that this is no wonder.

Usage: sample_check.py DIR [SEED]. DIR is for what is made up; with SEED only three of the runs.
"""
import argparse
import csv
import os
import random
import sys

SEEDS = 60
LEAST = 0.9  # of the intervals of 95 % that must have the truth


def program(rng, name, frames, cost, rate, wobble, rare_wobble):
    """Frames of one program: (features, cycles). wobble: what frames differ by that the features do
    not know; rare_wobble: by how much one in eight costs more, which they do not know, either."""
    rows, scene = [], rng.gauss(0, 1)
    for n in range(frames):
        scene = 0.97 * scene + 0.24 * rng.gauss(0, 1)
        work = cost * (1 + 0.15 * scene)
        vertices, texels = work / 40 * (1.2 + rng.random() / 5), work / 3 * (1 + 0.3 * scene)
        load = cost * rng.uniform(2, 4) if n == 0 else 0
        cycles = work * rate + 0.1 * texels + 4 * vertices + 0.8 * load
        cycles *= 1 + wobble * rng.gauss(0, 1) + (rare_wobble if rng.random() < 1 / 8 else 0)
        rows.append(({"fragments_" + name: work / 2, "shading": 100 * work, "uploads": 8 * load,
                      "bound": 100 * (work + load), "vertices": vertices, "texels": texels},
                     max(1, cycles)))
    return rows


def scenes(rng, count, frames, wobble, rare_wobbles):
    """Programs one after the other."""
    return [row for k in range(count)
            for row in program(rng, "%02d" % k, frames, 20000 * rng.uniform(1, 10) ** 1.7,
                               rng.uniform(0.7, 3), wobble, rng.choice(rare_wobbles))]


def game(rng, frames):
    return program(rng, "game", frames, 3e6, 1.2, 0.03, 0.05)


# Of each run seeds that make it up, and errors asked for.
RUNS = {
    "scenes": (lambda rng: scenes(rng, 15, 40, 0.01, [0, 0.1, 0.2]), [(3, 1.0), (6, 2.0)]),
    "quiet scenes": (lambda rng: scenes(rng, 15, 20, 0.003, [0]), [(1, 1.0)]),
    "few scenes": (lambda rng: scenes(rng, 4, 100, 0.01, [0, 0.05, 0.1]), [(1, 1.0), (2, 2.0)]),
    "game": (lambda rng: game(rng, 1500), [(1, 1.0), (2, 2.0)]),
    "game and scenes": (lambda rng: game(rng, 300) + scenes(rng, 8, 50, 0.01, [0, 0.1, 0.2]),
                        [(1, 1.0), (2, 2.0)]),
}


def made_up(make, seed):
    """Names of features, rows of them, cycles."""
    run = make(random.Random(seed))
    names = sorted({name for features, _ in run for name in features})
    return (["frame"] + names,
            [[n] + [int(f.get(name, 0)) for name in names] for n, (f, _) in enumerate(run)],
            [int(cycles) for _, cycles in run])


def tried(sample, names, rows, cycles, folder, error):
    """What seeds.csv has of this run."""
    os.makedirs(folder)
    truth = os.path.join(folder, "frames.csv")
    with open(truth, "w", newline="") as f:
        csv.writer(f).writerows([["frame", "cycles"]] + [[r[0], c] for r, c in zip(rows, cycles)])
    o = argparse.Namespace(out=folder, truth=truth, rehearse=True, seeds=(1, SEEDS), error=error,
                           confidence=95.0, warm_start_error=0.0, most=None, seed=1)
    sample.rehearsal(o, names, rows)
    with open(os.path.join(folder, "seeds.csv"), newline="") as f:
        return list(csv.DictReader(f))


def main():
    from attila.sample import run as sample
    failed = False
    runs = [(name, make, seed, error) for name, (make, variants) in RUNS.items()
            for seed, error in variants]
    if len(sys.argv) > 2:
        runs = random.Random(sys.argv[2]).sample(runs, 3)
    for name, make, seed, error in runs:
        names, rows, cycles = made_up(make, name + str(seed))
        folder = os.path.join(sys.argv[1], "%s-%d" % (name.replace(" ", "-"), seed))
        got = tried(sample, names, rows, cycles, folder, error)
        has = sum(int(r["has_truth"]) for r in got)
        mean = sum(int(r["frames"]) for r in got) / len(got)
        wrong = has < LEAST * len(got) or mean > 0.6 * len(rows)
        failed |= wrong
        print("%s %d: %d of %d intervals have the truth, %.0f of %d frames%s" % (
            name, seed, has, len(got), mean, len(rows), ": WRONG" if wrong else ""))
    sys.exit(failed)


if __name__ == "__main__":
    main()
