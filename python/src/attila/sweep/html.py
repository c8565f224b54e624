"""The page of a sweep: one HTML file that loads nothing, with what was run, the plots, the table
(a click on a head sorts it) and what failed. The report of a single run is attila-report's.
"""

import html
import re

from attila import page as html_page

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 78rem;
  padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; border: 1px solid #ddd; border-radius: 4px; max-width: 100%; }
figure svg { max-width: 100%; height: auto; display: block; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: right; }
th { background: #f4f4f4; position: sticky; top: 0; } th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid #0072b2; }
tr.front td { background: #fdf1e7; } tr.base td { font-weight: 600; }
td.text { text-align: left; }
"""
BODY = """<h1>%(title)s</h1>
<p>%(what)s</p>
<h2>Plots</h2>
<div class="plots">%(plots)s</div>
<h2>Configurations</h2>
<p>%(table_says)s</p>
<div class="scroll"><table id="t">%(table)s</table></div>
%(failures)s
<script>
const body = document.querySelector('#t tbody');
document.querySelectorAll('#t th button').forEach((button, column) => {
  let down = false;
  button.onclick = () => {
    down = !down;
    const value = row => row.cells[column].textContent;
    const order = (a, b) => (value(a) === '') - (value(b) === '') || (down ? 1 : -1) *
      value(b).localeCompare(value(a), 'en', { numeric: true });
    [...body.rows].sort(order).forEach(row => body.append(row));
  };
});
</script>"""


def escape(value):
    return html.escape(str(value if value is not None else ""))


def figure(picture, number):
    """The SVG in the page: without its head, its identifiers its own."""
    svg = picture.drawing[picture.drawing.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'(\bid="|url\(#|xlink:href="#)', r"\g<1>p%d-" % number, svg)
    return '<figure role="img" aria-label="%s">%s</figure>' % (escape(picture.title), svg)


def table(r):
    head = "".join('<th scope="col"><button title="%s">%s</button></th>' %
                   (escape(n), escape(n.split(".")[-1])) for n in r.columns())
    rows = []
    for p in r.places:
        kind = ("base" if p is r.base else "front" if p in r.front else "")
        rows.append('<tr class="%s">%s</tr>' % (kind, "".join(
            f"<td>{escape(c)}</td>" for c in r.row(p))))
    return "<thead><tr>%s</tr></thead><tbody>%s</tbody>" % (head, "\n".join(rows))


def page(store, design, r, pictures):
    space, started, points, done, failed, seconds, hosts, versions = store.summary(design)
    what = (f"{len(r.places)} configurations, {len(r.captures)} captures "
            f"({', '.join(r.captures)}); {done} of {points} points have results, {failed} "
            f"failed. Begun {started}, {seconds or 0:.0f} s of simulation on {hosts or 'no host'}. "
            f"Simulator {versions or 'none'}.")
    says = ("Cycles are estimates of whole captures, from samples of their frames; +-: half the "
            "interval of 95 %. " if r.sampled else
            "Cycles are summed over the frames that count. ")
    if r.base:
        says += ("Speed-up is the geometric mean over the captures, relative to place "
                 f"{r.base['place']} ({r.base['label']}).")
    if r.front:
        says += " Coloured: the Pareto front of area and speed."
    if r.energy_front:
        says += (" Per watt: speed-up over the growth of the power, which is how much less energy "
                 "it takes; energy front: places that none beats in both energy and speed.")
    failures = store.failures(design)
    listed = "".join('<tr>%s</tr>' % "".join('<td class="text">%s</td>' % escape(c) for c in f)
                     for f in failures)
    title = "Sweep: " + r.space
    return html_page.page(title, STYLE, BODY % {
        "title": escape(title), "what": escape(what), "table": table(r),
        "table_says": escape(says),
        "plots": "".join(figure(p, n) for n, p in enumerate(pictures)) or
                 "<p>There are none.</p>",
        "failures": listed and ("<h2>Without a result</h2><div "
                                f"class=\"scroll\"><table>{listed}</table></div>")})
