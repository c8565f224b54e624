#!/bin/bash
# The Python package: its own tests (python/tests), what a linter and a type check say, what a type
# check sees in a user's script, installing it in a virtual environment without a network, and the
# notebook on a run, a sweep and a comparison made here, with runs of its own. Not here: commands of
# the package, each of which has a test of its own.
. "$(dirname "$0")/../lib/test.sh"
python=/usr/bin/python3
missing() { ! $python -c "import importlib.util, sys
sys.exit(any(importlib.util.find_spec(n) is None for n in sys.argv[1:]))" "$@"; }
missing numpy scipy pandas matplotlib jinja2 skimage PIL pytest &&
   skip "python3-pandas, python3-scipy, python3-matplotlib, python3-jinja2, python3-skimage," \
      "python3-pil or python3-pytest is not installed"
cd "$TOP/python" || fail "no $TOP/python"
quietly "pytest" $python -m pytest -q -p no:cacheprovider
tail -n 1 "$WORK/log"

# ruff where it is installed, else the checks of flake8 that are the same.
if command -v ruff >/dev/null; then
   quietly "ruff" ruff check --no-cache .
elif ! missing flake8; then
   quietly "flake8" $python -m flake8 --max-line-length 100 --select E3,E5,E7,E9,F,W6 \
      --ignore E704 src tests # "def f(): ..." of an overload
else
   echo "neither ruff nor python3-flake8: no linter"
fi
if missing mypy; then
   echo "no mypy: no type check"
else
   quietly "mypy" $python -m mypy --cache-dir "$WORK/mypy"
fi

if missing venv pip setuptools wheel; then
   echo "no python3-venv, python3-pip, python3-setuptools or python3-wheel: no virtual environment"
else
   cp -r "$TOP/python" "$WORK/source" && rm -rf "$WORK/source/src/"*.egg-info || fail "no copy"
   quietly "venv" $python -m venv --system-site-packages "$WORK/venv"
   quietly "pip install" env -u PYTHONPATH "$WORK/venv/bin/pip" install --no-build-isolation \
      --no-deps --no-index "$WORK/source"
   cd "$WORK" || fail "no $WORK"
   venv() { env -u PYTHONPATH "$@"; }
   quietly "import" venv "$WORK/venv/bin/python" -c 'import attila, sys
sys.exit("venv" not in attila.__file__)'
   # A user's script has types, those of the package that pip installed.
   cat >script.py <<'PYTHON'
from typing import assert_type
import attila
assert_type(attila.simulate("a.attila", set={"TextureCacheLines": 4}, frames=3), attila.Run)
assert_type(attila.simulate("a.attila", set=[{"TextureCacheLines": n} for n in (1, 2)]),
            list[attila.Run])
assert_type(attila.simulate("a.attila", ideal=["memory", None]), list[attila.Run])
assert_type(attila.simulate(["a.attila"]), list[attila.Run])
assert_type(attila.record("glxgears", "a.attila", frames=3), str)
try:
    with attila.open_run("out") as run:
        run.frames.plot()
except attila.SimulationError as e:
    assert_type(e.runs, list[attila.Run | None])
PYTHON
   echo 'import attila; attila.simulate(3)' >wrong.py
   echo 'import attila; attila.open_run("out").frame' >member.py
   if ! missing mypy; then
      check() { venv $python -m mypy --strict --ignore-missing-imports --cache-dir "$WORK/mypy2" \
         --python-executable "$WORK/venv/bin/python" "$@"; }
      quietly "types of a user's script" check script.py
      expect_failure 1 'No overload variant of "simulate"' check wrong.py
      expect_failure 1 '"Run" has no attribute "frame"' check member.py
   fi
   quietly "attila in the environment" venv "$WORK/venv/bin/attila" --version
   # It belongs to the tree that ATTILA_HOME names.
   quietly "a study's space in the environment" venv ATTILA_HOME="$TOP" \
      "$WORK/venv/bin/attila" studies --list
fi

[ -x "$SIM" ] || skip "no build: no notebook"
missing nbclient nbformat ipykernel && skip "no python3-nbclient or python3-ipykernel: no notebook"
out=$WORK/example stream=$TOP/tests/golden/build.attila
quietly "a run" "$SIM" run "$stream" --config "$TOP/configs/attila-bgpu.ini" --interval 2000 \
   --power builtin --out "$out/run"
quietly "a sweep" "$TOP/scripts/attila" sweep "$TOP/python/examples/space.ini" "$stream" \
   --no-plots --out "$out/sweep"
quietly "a comparison" "$TOP/scripts/attila" validate-timing clear fill -o "$out/timing.csv"
ATTILA_EXAMPLE=$out quietly "the notebook" $python - "$TOP/python/examples/attila.ipynb" <<'PYTHON'
import os
import sys

import nbformat
from nbclient import NotebookClient

book = nbformat.read(sys.argv[1], as_version=4)
here = {"metadata": {"path": os.path.dirname(sys.argv[1])}}  # as Jupyter has it
NotebookClient(book, timeout=300, kernel_name="python3", resources=here).execute()
shown = {c.id: c.outputs for c in book.cells if c.cell_type == "code" and c.outputs}
assert len(shown) > 10, len(shown)
bar, cycles = shown["simulate"]
assert 'value="1.0000"' in bar.data["text/html"] and "5 of 5 runs" in bar.data["text/html"], bar
counted = [int(line.split()[1]) for line in cycles.data["text/plain"].split("\n")[1:6]]
assert counted == sorted(counted, reverse=True) and counted[0] > 1.02 * counted[-1], counted
PYTHON
