"""Temperatures (attila.tools.thermal) beside calculations by hand."""

from __future__ import annotations

import math

import pytest

from attila import cli
from attila.tools import thermal

# A block of 1 cm2 under 0.5 mm of silicon (0.05 K/W) and 0.02 mm of paste (0.05 K/W): 0.1 K/W,
# 1.75e6 J/m3K * 0.05 cm3 = 0.0875 J/K, so 8.75 ms. Copper: 1 mm / (400 W/mK * 9 cm2) = 1/360 K/W.
KEYS = thermal.read_table(thermal.TABLE, ["SINK.Resistance=0.5", "SINK.Ambient=45"])
AREA = {"hot": 1e-4, "cold": 1e-4}


def energies(work: float, leakage: float, factors=None) -> thermal.Energies:
    return thermal.Energies([1.], [{"hot": work, "cold": 0.}], [{"hot": leakage, "cold": 0.}], 75,
                            factors or [1.] * len(thermal.LEAKAGE_AT))


def test_steady_state() -> None:
    chip = thermal.Chip(KEYS, AREA)
    chip.settle({"hot": 10., "cold": 0.})
    assert chip.sink == pytest.approx(45 + 10 * .5)
    assert chip.spreader == pytest.approx(50 + 10 / 360)
    assert chip.temperature["hot"] == pytest.approx(chip.spreader + 10 * .1)
    assert chip.temperature["cold"] == pytest.approx(chip.spreader)


def test_block_follows_its_time_constant() -> None:
    chip = thermal.Chip(KEYS, AREA)
    chip.step({"hot": 10., "cold": 0.}, .00875)
    rise = chip.temperature["hot"] - 45
    assert rise == pytest.approx(1 - math.exp(-1), abs=.03)  # K; the spreader has warmed by 0.01
    assert chip.sink - 45 < 1e-3


def test_heat_is_kept() -> None:
    chip = thermal.Chip(KEYS, AREA)
    for _ in range(1000):
        chip.step({"hot": 10., "cold": 2.}, .01)
    stored = sum(b.capacity * (chip.temperature[n] - 45) for n, b in chip.blocks.items())
    stored += chip.spreader_capacity * (chip.spreader - 45) + chip.sink_capacity * (chip.sink - 45)
    # In 10 s 120 J came; the sink, 0.6 K warmer in the mean, gave some 12 J to the air.
    sink = chip.sink - 45
    assert stored + sink / 2 / .5 * 10 == pytest.approx(120, rel=.01)


def test_steps_reach_the_steady_state() -> None:
    fast = thermal.read_table(thermal.TABLE, ["SINK.Capacity=0.1"])
    chip, end = thermal.Chip(fast, AREA), thermal.Chip(fast, AREA)
    end.settle({"hot": 10., "cold": 1.})
    for _ in range(200):
        chip.step({"hot": 10., "cold": 1.}, .1)
    assert chip.temperature == pytest.approx(end.temperature, abs=1e-3)


def test_leakage_follows_temperature() -> None:
    # Twice as much for every 25 C: 1 W at 75 C.
    e = energies(10, 1, [2.**((t - 75) / 25) for t in thermal.LEAKAGE_AT])
    assert e.factor(75) == 1 and e.factor(87.5) == pytest.approx(math.sqrt(2))
    chip = thermal.Chip(KEYS, AREA)
    thermal.settle(chip, e, True)
    celsius = chip.temperature["hot"]
    watts = 10 + 2**((celsius - 75) / 25)
    assert celsius == pytest.approx(45 + watts * (.5 + 1 / 360 + .1))
    thermal.settle(chip, e, False)
    assert chip.temperature["hot"] == pytest.approx(45 + 11 * (.5 + 1 / 360 + .1))


def test_runaway() -> None:
    e = energies(10, 400, [2.**((t - 75) / 25) for t in thermal.LEAKAGE_AT])
    with pytest.raises(cli.Error, match="a unit has .* C: expected 0 to 150"):
        thermal.settle(thermal.Chip(KEYS, AREA), e, True)


def test_tables(tmp_path) -> None:
    bad = tmp_path / "bad.ini"
    bad.write_text("[DIE]\nColour = red\n")
    with pytest.raises(cli.Error, match="DIE.Colour is not a key"):
        thermal.read_table(str(bad), [])
    with pytest.raises(cli.Error, match="SINK.Ambient = 200: expected -50 to 100"):
        thermal.read_table(thermal.TABLE, ["SINK.Ambient=200"])
    with pytest.raises(cli.UsageError, match="expected SECTION.KEY=VALUE"):
        thermal.read_table(thermal.TABLE, ["Ambient=20"])
