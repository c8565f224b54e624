"""A study of the L2: its size and ways, and which clients use it. It is not from a paper. Not here:
running it (studies/command.py).
"""

from __future__ import annotations

from typing import Any

from attila.studies.results import Place, Results, Study, percent, share

SIZES, WAYS = (32, 128, 512, 2048), (2, 8, 32)  # kilobytes: Ways * Lines, see designs/caches.ini
POLICIES = {"0": "pass by", "2": "stay longest"}


class Caches(Study):
    name = "caches"
    title = "The L2: size, ways, clients"
    spaces = ["caches", "caches-clients", "caches-game"]
    scenes = ["desktop", "refract"]
    size = (320, 240)
    games = False
    sampled = {"neverball": (60, "5 most 31", "caches-game")}
    warm_up = 1  # caches but the L2 begin empty

    @staticmethod
    def sizes(r: Results) -> dict[str, Place]:
        """{L2: place}, first the machine without an L2."""
        return {"none": r.one(space="caches", Enabled="FALSE")} | {
            f"{size} KB, {ways} ways": r.one(space="caches", Enabled="TRUE", Ways=ways,
                                             Lines=size // ways, Replacement=0)
            for size in SIZES for ways in WAYS}

    @staticmethod
    def replacements(r: Results) -> list[tuple[str, list[Place]]]:
        """The largest by ways: with LRU, with another replacement."""
        return [(f"{ways} ways", [r.one(space="caches", Enabled="TRUE", Ways=ways,
                                        Lines=SIZES[-1] // ways, Replacement=n) for n in (0, 1)])
                for ways in WAYS]

    @staticmethod
    def clients(r: Results) -> dict[str, Place]:
        """{what one client does: place}, first the machine on which all clients use the L2."""
        found = {}
        for p in r.all(space="caches-clients"):
            other = [(k.removesuffix("Policy"), v) for k, v in p.settings.items() if v != "1"]
            found[f"{other[0][0]}: {POLICIES[other[0][1]]}" if other else "all take lines"] = p
        return found

    @staticmethod
    def of_game(r: Results) -> dict[str, Place]:
        """The same for the sampled game, by rising ways and size, first the machine without an L2;
        last those on which a client bypasses it."""
        found = {}
        for p in r.all(space="caches-game"):
            s = p.settings
            ways = int(s["Ways"])
            label = f"{ways * int(s['Lines'])} KB, {ways} ways"
            by = [k.removesuffix("Policy") for k, v in s.items()
                  if k.endswith("Policy") and v == "0"]
            found["none" if s["Enabled"] == "FALSE" else
                  f"{label}, {by[0]}: {POLICIES['0']}" if by else label] = p
        return found

    @staticmethod
    def bytes_of(p: Place, capture: str) -> float:
        """Returns the bytes on the pins of memory."""
        s = p.statistics[capture]
        return float(s.get("ReadDataBytes_Sched", 0) + s.get("WriteDataBytes_Sched", 0))

    @staticmethod
    def hits(p: Place, capture: str) -> float | None:
        s = p.statistics[capture]
        looks = s.get("HitsFetch_L2C", 0) + s.get("MissesFetch_L2C", 0)
        return s.get("HitsFetch_L2C", 0) / looks if looks else None

    def row(self, p: Place, base: Place, capture: str) -> list[str]:
        """A row: speed, bytes and energy, also relative to the base, and the hit rate of the L2."""
        energy = [q.statistics[capture]["EnergyTotal"] for q in (p, base)]
        moved = [self.bytes_of(q, capture) for q in (p, base)]
        return [percent(base.seconds[capture] / p.seconds[capture]), f"{p.cycles[capture]}",
                f"{moved[0] / 1e6:.2f}", percent(moved[0] / moved[1]),
                share(self.hits(p, capture)), f"{energy[0] / 1e12:.2f}",
                percent(energy[0] / energy[1])]

    def rows(self, places: dict[str, Place], capture: str) -> list[list[str]]:
        base = next(iter(places.values()))
        return [[label, *self.row(p, base, capture)] for label, p in places.items()]

    def game_rows(self, r: Results, game: str) -> list[list[str]]:
        """The same rows, with the estimated speed of all frames and half of its interval."""
        rows = self.rows(self.of_game(r), game)
        for row, (speed, half) in zip(rows, r.estimates["caches-game", game]):
            row[1] = f"{percent(speed)[:-2]} ± {100 * half:.1f} %"
        return rows

    def found(self, r: Results) -> dict[str, Any]:
        return {}

    def data(self, r: Results) -> dict[str, Any]:
        sizes, clients = self.sizes(r), self.clients(r)
        none = sizes["none"]
        scenes = [c for c in r.captures if c not in self.sampled]
        return {"tables": [(c, self.rows(sizes, c), self.rows(clients, c)) for c in scenes],
                "largest": SIZES[-1],
                "by_replacement": [[what, *(share(self.hits(p, c)) for c in scenes for p in both)]
                                   for what, both in self.replacements(r)],
                "replacements": ["L2", *(f"{c}, {how}" for c in scenes
                                         for how in ("LRU", "other"))],
                "in_samples": [(game, self.of_game(r)["none"].frames[game], last + 1,
                           self.game_rows(r, game))
                          for game, (last, _, _) in self.sampled.items() if game in r.captures],
                "area": [[what, f"{(p.area or 0) - (none.area or 0):.1f}"]
                         for what, p in sizes.items() if p is not none],
                "whole": f"{none.area:.1f}"}

    def plot_game(self, axes: Any, r: Results, game: str) -> None:
        """Plots speeds with intervals, and bytes, of the machines on which all clients use the
        L2."""
        of_game = self.of_game(r)
        estimates = dict(zip(of_game, r.estimates["caches-game", game]))
        base = self.bytes_of(of_game["none"], game)
        for ways, colour in ((2, "#777777"), (8, "#111111")):
            names = {size: f"{size} KB, {ways} ways" for size in SIZES
                     if f"{size} KB, {ways} ways" in of_game}
            style = {"marker": "s", "markersize": 4, "color": colour,
                     "label": f"{game}, {ways} ways"}
            axes[0].errorbar(list(names), [estimates[n][0] for n in names.values()],
                             [estimates[n][1] for n in names.values()], capsize=3, **style)
            axes[1].plot(list(names), [self.bytes_of(of_game[n], game) / base
                                       for n in names.values()], **style)

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, axes = plt.subplots(2, 3, figsize=(12, 7))
        sizes, clients = self.sizes(r), self.clients(r)
        none = sizes["none"]
        scenes = [c for c in r.captures if c not in self.sampled]
        for (speed, moved, policies), c in zip(axes, scenes):
            for ways in WAYS:
                places = [sizes[f"{size} KB, {ways} ways"] for size in SIZES]
                speed.plot(SIZES, [none.seconds[c] / p.seconds[c] for p in places], marker="o",
                           markersize=4, label=f"{c}, {ways} ways")
                moved.plot(SIZES, [self.bytes_of(p, c) / self.bytes_of(none, c) for p in places],
                           marker="o", markersize=4, label=f"{c}, {ways} ways")
            plain = clients["all take lines"]
            others = {what: p for what, p in clients.items() if p is not plain}
            policies.barh(list(others), [100 * (plain.seconds[c] / p.seconds[c] - 1)
                                         for p in others.values()])
            policies.invert_yaxis()
            policies.tick_params(axis="y", labelsize=7)
            policies.axvline(0, color="#222222", linewidth=.8)
            policies.set_xlabel(f"{c}, 128 KB: % faster")
            speed.set_ylabel("speed over no L2")
            moved.set_ylabel("bytes of memory over no L2")
            moved.set_ylim(0)
        for game in (g for g in self.sampled if g in r.captures):
            self.plot_game(axes[1], r, game)
        for one in axes[:, :2].flat:
            one.axhline(1, color="#222222", linewidth=.8)
            one.set_xscale("log", base=2)
            one.set_xticks(SIZES, [f"{size}" for size in SIZES])
            one.set_xlabel("KB")
            one.legend(frameon=False, fontsize=7)
        figure.tight_layout()
        return figure, "Speed and bytes of memory by size and ways of the L2, and by client"
