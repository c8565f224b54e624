"""record_rows.py RECORD: all rows of a record but what the host decides, a line each."""
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
    if table in ("run", "configuration"):
        continue
    names = [c[1] for c in db.execute(f'PRAGMA table_info("{table}")')]
    kept = ", ".join(f'"{n}"' for n in names if "host" not in n and "cpu" not in n)
    for row in db.execute(f'SELECT {kept} FROM "{table}"'):
        print(table, *row)
