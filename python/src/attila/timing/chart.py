"""Draws docs/images/validation.svg: a bar per case, ours over the original, on a logarithmic scale
with the band of 10 %. The file begins with a comment with its data, so that a check needs no
matplotlib.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

LOWEST, HIGHEST = 0.25, 4.0
Ratios = Sequence[tuple[str, float]]


def mark(results: Ratios) -> str:
    """The comment with the ratios that a picture shows."""
    return "<!-- Drawn by attila validate-timing; do not edit. Shown:\n" + "".join(
        f"{name} {ratio:.2f}\n" for name, ratio in results) + "-->\n"


def draw(results: Ratios, close: float) -> str:
    """results: [(name, ratio)]. Returns the SVG's text."""
    from attila.sweep import plots
    plt = plots.style()
    figure, axes = plt.subplots(figsize=(7.5, 0.8 + 0.17 * len(results)))
    shown = [min(max(ratio, LOWEST), HIGHEST) for _, ratio in results]
    bars = axes.barh([name for name, _ in results], [r - 1 for r in shown], left=1, height=0.7,
                     color=["#4a8c5c" if abs(ratio - 1) <= close else "#c0703a"
                            for _, ratio in results])
    for bar, (_, ratio), end in zip(bars, results, shown):
        axes.annotate(f"{ratio:.2f}", (end, bar.get_y() + bar.get_height() / 2), va="center",
                      xytext=(-4 if ratio < 1 else 4, 0), textcoords="offset points", fontsize=7,
                      ha="right" if ratio < 1 else "left")
    axes.axvspan(1 - close, 1 + close, color="#e3efe5", zorder=0)
    axes.axvline(1, color="#888888", linewidth=0.8)
    axes.set(xscale="log", xlim=(LOWEST, HIGHEST), ylim=(len(results) - 0.4, -0.6))
    axes.set_xticks([0.25, 0.5, 1, 2, 4], ["0.25", "0.5", "1", "2", "4"])
    axes.minorticks_off()
    axes.tick_params(axis="y", labelsize=7)
    axes.grid(False, axis="y")
    axes.set_title("Cycles over those of the original: 1 is right; green: within 10 %", fontsize=9)
    figure.tight_layout()
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return text.getvalue().replace("<svg ", mark(results) + "<svg ", 1)
