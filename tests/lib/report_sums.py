"""What the page of a run must add up to, as JSON, straight from run.sqlite.

Usage: report_sums.py DIR. With --many N DIR: first makes the record's first frame have N draws,
copies of those it has (for times, not for sums of frames).
"""

import glob
import json
import sqlite3
import sys


def one(db, query):
    return db.execute(query).fetchone()[0]


def copies(db, count):
    """Frame 0 gets copies of its rows of work until there are count."""
    columns = [r[1] for r in db.execute("PRAGMA table_info(work)") if r[1] != "work"]
    rows = [r[0] for r in db.execute("SELECT work FROM work WHERE kind = 'draw'")]
    tables = [r[0] for r in db.execute("SELECT DISTINCT 'work_' || class FROM counters")]
    last, have = one(db, "SELECT max(work) FROM work"), one(db, "SELECT count(*) FROM work")
    for i in range(count - have):
        of, new = rows[i % len(rows)], last + 1 + i
        db.execute("INSERT INTO work (work, {0}) SELECT ?, {0} FROM work WHERE work = ?".format(
            ", ".join(columns)), (new, of))
        for table in tables:
            names = ['"%s"' % r[1] for r in db.execute('PRAGMA table_info("%s")' % table)][1:]
            db.execute('INSERT INTO "{0}" SELECT ?, {1} FROM "{0}" WHERE work = ?'.format(
                table, ", ".join(names)), (new, of))
    db.commit()


def sums(db, folder):
    names = [r[1] for r in db.execute("PRAGMA table_info(work_counters)")][1:]
    totals = zip(names, db.execute("SELECT %s FROM work_counters" % ", ".join(
        'sum("%s")' % n for n in names)).fetchone())
    moved = "SELECT sum(read_bytes + written_bytes) FROM %s_bytes"
    return {
        "frames": one(db, "SELECT count(*) FROM frames"),
        "pictures": len(glob.glob(folder + "/frame-*.png")),
        "work": one(db, "SELECT count(*) FROM work"),
        "draws": one(db, "SELECT count(*) FROM work WHERE kind = 'draw'"),
        "cycles": one(db, "SELECT sum(cycles) FROM frames"),
        "work_written": round(one(db, "SELECT sum(written) FROM work_overdraw")),
        "frame_written": round(one(db, "SELECT sum(written) FROM frame_overdraw")),
        # Live fragments at the colour units: with the dead pixels of their quads all that came, but
        # for the ends of draws.
        "colour_fragments": one(db, 'SELECT sum("WrittenSamples_CW-SU") FROM work_counters'),
        "exclusive": one(db, "SELECT sum(exclusive_cycles) FROM work"),
        "frame_bytes": one(db, moved % "frame"),
        "work_bytes": one(db, moved % "work"),
        "busy": one(db, "SELECT sum(busy) FROM frame_units"),
        # Of draws: items of their states, and those that differ from the draw before.
        "state_items": one(db, "SELECT count(value) FROM work_pipeline"),
        "state_changes": one(db, "SELECT count(*) FROM work_pipeline WHERE value IS NOT before AND "
                             "work > (SELECT min(work) FROM work_pipeline)"),
        "steady": [list(r) for r in db.execute(
            "SELECT frame, cycles FROM frames f WHERE coalesce((SELECT sum(exclusive_cycles) FROM "
            "work w WHERE w.frame = f.frame AND kind IN ('upload', 'program')), 0) * 20 <= cycles "
            "ORDER BY frame")],
        "counted": {n: v for n, v in totals if v},
    }


def main():
    folder = sys.argv[-1]
    db = sqlite3.connect(folder + "/run.sqlite")
    if sys.argv[1] == "--many":
        copies(db, int(sys.argv[2]))
    print(json.dumps(sums(db, folder)))


main()
