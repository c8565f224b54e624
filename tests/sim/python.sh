#!/bin/bash
# The Python package: its own tests (python/tests), what a linter and a type check say, installing
# it in a virtual environment without a network, and the notebook on a run, a sweep and a comparison
# made here. Not here: commands of the package, each of which has a test of its own.
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
   quietly "flake8" $python -m flake8 --max-line-length 100 --select E3,E5,E7,E9,F,W6 src tests
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
import sys

import nbformat
from nbclient import NotebookClient

book = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(book, timeout=300, kernel_name="python3").execute()
shown = [c for c in book.cells if c.cell_type == "code" and c.outputs]
assert len(shown) > 10, len(shown)
PYTHON
