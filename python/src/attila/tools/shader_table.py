"""attila shader-table: how much the compiler gains from its knowledge of the machine. It compares
shaders that are compiled with and without it (--debug nomachine): their instructions, registers,
predicted and simulated cycles, and the simulated cycles of the scenes. Not here: timing of a shader
(tests/unit/shader_time.c).
"""

from __future__ import annotations

import argparse
import csv
import operator
import os
import pathlib
import re
import shutil
import subprocess
import textwrap
from collections.abc import Iterable
from typing import Any

from attila import captures, cli
from attila.cli import Error
from attila.live import apps as live_apps
from attila.paths import TOP, places

SCENES = """
build:use-vbo=false texture:texture-filter=linear texture:texture-filter=mipmap
shading:shading=gouraud shading:shading=blinn-phong-inf shading:shading=phong shading:shading=cel
bump:bump-render=high-poly bump:bump-render=normals bump:bump-render=height
effect2d:kernel=0,1,0;1,-4,1;0,1,0; effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;
pulsar:quads=5:texture=false desktop:effect=blur desktop:effect=shadow
buffer:update-fraction=0.5:update-dispersion=0.9:columns=200:update-method=map:interleave=false
ideas:speed=duration jellyfish terrain shadow refract
conditionals:fragment-steps=0:vertex-steps=0 conditionals:fragment-steps=5:vertex-steps=0
conditionals:fragment-steps=0:vertex-steps=5 function:fragment-complexity=low:fragment-steps=5
function:fragment-complexity=medium:fragment-steps=5 loop:fragment-loop=false:fragment-steps=5
loop:fragment-steps=5:fragment-uniform=false:vertex-steps=5
loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5""".split()
WAYS = {"before": "isa,stats,nomachine", "after": "isa,stats"}
DESCRIPTION = """\
Runs glmark2's scenes twice, with shaders that were compiled for the machine and with such that
were not (--debug nomachine), and prints a table: instructions, registers, predicted and simulated
cycles of a thread group, and the simulated cycles of the scene's first frames."""
LINE = re.compile(r'^ATTILA ([VGF]S) (.*) shader: (\d+ inst, .*)$')


class Shader:
    """A compiled program: its stage, its text, and the figures in its line."""

    def __init__(self, stage: str, text: str, stats: str) -> None:
        self.stage = stage
        self.text = text
        self.stats = {}
        for stat in stats.split(', '):
            value, name = stat.split(' ', 1)
            if value.isdigit():
                self.stats[name] = int(value)


def read_shaders(lines: Iterable[str]) -> Any:
    """The programs of a log, in order; the log has the text of a program, then its line."""
    shaders, text, inside = [], [], False
    for line in lines:
        match = LINE.match(line)
        if line.split(' ')[0] in ('.vertex', '.geometry', '.fragment'):
            text, inside = [line], True
        elif inside:
            text.append(line)
            inside = line != 'END'
        elif match and text:
            shaders.append(Shader(match[1], '\n'.join(text) + '\n', match[3]))
            text = []
    return shaders


def scene_cycles(folder: pathlib.Path) -> Any:
    """Cycles of all frames of a run."""
    with open(folder / 'frames.csv', newline='') as file:
        return sum(int(row['cycles']) for row in csv.DictReader(file))


class Timer:
    """Predicted and simulated cycles of programs on a machine, each timed once."""

    def __init__(self, program: str, config: str) -> None:
        self.command = [program, config]
        self.cycles: dict[Any, Any] = {}

    def add(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self.cycles]
        done = subprocess.run(self.command, input=''.join(new), text=True, capture_output=True)
        if done.returncode:
            raise Error('shader-table: ' + done.stderr[:500])
        for text, line in zip(new, done.stdout.splitlines()):
            predicted, simulated = line.split()
            self.cycles[text] = (float(predicted), None if simulated == '-' else float(simulated))


def arrow(before: Any, after: Any, form: str = '{}') -> Any:
    b, a = form.format(before), form.format(after)
    return a if a == b else f'{b} → {a}'


def simulated(timer: Timer, before: Any, after: Any) -> Any:
    b, a = timer.cycles[before.text][1], timer.cycles[after.text][1]
    return '–' if a is None or b is None else arrow(b, a, '{:.0f}')


def pairs_of(before: Any, after: Any, where: str) -> Any:
    if [s.stage for s in before] != [s.stage for s in after]:
        raise Error(f'{where}: other shaders in the two runs')
    return list(zip(before, after))


def scene_tables(out: pathlib.Path, timer: Timer) -> tuple[Any, ...]:
    """Rows of shaders, rows of scenes, and the scenes that became slower."""
    scenes = []
    for folder in sorted((out / 'after').iterdir()):
        other = out / 'before' / folder.name
        read = [read_shaders((f / 'log').read_text().splitlines()) for f in (other, folder)]
        scenes.append(((folder / 'scene').read_text().strip(),
                       pairs_of(read[0], read[1], folder.name), scene_cycles(other),
                       scene_cycles(folder)))
    timer.add(s.text for _, pairs, _, _ in scenes for pair in pairs for s in pair)
    shaders, table, slower, seen = [], [], [], set()
    for name, pairs, before, after in scenes:
        for b, a in pairs:
            if (b.text, a.text) in seen:
                continue
            seen.add((b.text, a.text))
            shaders.append(
                f'| {name.split(":")[0]} {a.stage} | {arrow(b.stats["inst"], a.stats["inst"])} '
                f'| {arrow(b.stats["regs"], a.stats["regs"])} '
                f'| {arrow(b.stats["cycles"], a.stats["cycles"])} | {simulated(timer, b, a)} |')
        table.append(f'| {name} | {before:,} | {after:,} | {100 * (after / before - 1):+.1f} % |')
        if after > before:
            slower.append(name)
    return shaders, table, slower, len(seen)


def agreement(timer: Timer) -> str:
    """How far predictions are from simulation, in words."""
    timed = [(p, s) for p, s in timer.cycles.values() if s]
    errors = sorted(abs(p / s - 1) for p, s in timed)
    order = sorted(timed, key=operator.itemgetter(1))
    wrong = sum(order[i][0] > order[k][0] for i in range(len(order))
                for k in range(i + 1, len(order)) if order[i][1] < 0.97 * order[k][1])
    return (f'Of {len(timer.cycles)} different programs {len(timed)} take the same way for all '
            f'inputs and were simulated: the prediction is {100 * sum(errors) / len(errors):.1f} % '
            f'off on average and {100 * errors[-1]:.0f} % at most; of pairs whose simulated cycles '
            f'differ by more than 3 % it has {wrong} in the wrong order.')


def options(args: list[str]) -> Any:
    p = cli.Parser("shader-table", "[options] [SCENE ...]", DESCRIPTION,
                   "Exit: 1 when a scene takes more cycles than before.")
    p.add_argument("scenes", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("--config", default=os.path.join(TOP, "configs", "attila-bgpu.ini"),
                   metavar="FILE", help="machine (default: configs/attila-bgpu.ini)")
    p.add_argument("--frames", type=cli.number(1), default=2, metavar="N",
                   help="frames of each scene (default 2)")
    p.add_argument("--size", default="160x120", metavar="WxH",
                   help="size of the window (default 160x120)")
    p.add_argument("--out", default=os.path.join(TOP, "out", "shader-table"), metavar="DIR",
                   type=cli.folder,
                   help="logs, and table.md (default: out/shader-table)")
    p.add_argument("--update", action="store_true",
                   help="write the tables into docs/notebook/shaders.md as well")
    o = p.parse_args(args)
    for scene in o.scenes:
        if scene.split(":")[0] not in live_apps.scene_names():
            p.error(f"'{scene}' is no scene of glmark2")
    if not os.access(o.config, os.R_OK):
        p.error(f"cannot read configuration {o.config}")
    o.out = pathlib.Path(o.out).absolute()
    o.time = os.path.join(places().build, "tests", "unit", "shader_time")
    for program in (o.time, "glmark2"):
        if not shutil.which(program):
            raise Error(f"no {program}: run scripts/setup first")
    return o


def run_scenes(o: argparse.Namespace) -> None:
    """Runs each scene with the compiler's knowledge of the machine and without, for their logs."""
    for scene in o.scenes or SCENES:
        name = re.sub("[:=/;, ]", "_", scene)
        for way, debug in WAYS.items():
            folder = o.out / way / name
            folder.mkdir(parents=True)
            with open(folder / "log", "w") as log, open(folder / "glmark2.log", "w") as said:
                status = subprocess.call(
                    [places().run, "--no-check", "--config", o.config, "--fixed-clock", "60",
                     "--debug", debug, "--frames", str(o.frames), "--out", str(folder),
                     "--draws-columns", "none", "glmark2", "-s", o.size, "-b",
                     f"{scene}:nframes={o.frames}:duration=1000000"], stdout=said, stderr=log)
            if status:
                raise Error(f"{scene} failed: see {folder}/log")
            (folder / "scene").write_text(scene + "\n")
        cli.say("shader-table", scene)


def main(args: list[str]) -> int:
    o = options(args)
    for old in ("before", "after"):
        shutil.rmtree(o.out / old, ignore_errors=True)
    os.environ["MESA_SHADER_CACHE_DISABLE"] = "true"
    with captures.display():
        run_scenes(o)
    timer = Timer(o.time, o.config)
    shaders, scenes, slower, count = scene_tables(o.out, timer)
    text = [textwrap.fill(f'Machine: `{pathlib.Path(o.config).name}`. Cycles are of a thread '
                          'group, before → after; – where the way depends on values.', 100), '',
            '| shader | instructions | registers | predicted | simulated |',
            '|---|---|---|---|---|', *shaders, '',
            '| scene | cycles before | after | |', '|---|---:|---:|---:|', *scenes, '']
    text += [textwrap.fill(agreement(timer), 100)]
    table = '\n'.join(text) + '\n'
    (o.out / 'table.md').write_text(table)
    print(table)
    if o.update:
        path = pathlib.Path(TOP, 'docs', 'notebook', 'shaders.md')
        begin, end = '<!-- scripts/shader-table --update -->\n', '<!-- end -->\n'
        head, rest = path.read_text().split(begin)
        path.write_text(head + begin + table + end + rest.split(end)[1])
    print(f'{count} shaders in {len(scenes)} scenes; slower: {", ".join(slower) or "none"}')
    return 1 if slower else 0
