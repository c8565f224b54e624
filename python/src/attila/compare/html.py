"""One HTML file of a comparison that opens without a network: a table of programs, a curve of PSNR
over frames, and the worst frames of both sides with a slider and with blinking; the page of a
bisect. Not here: the report of a run (report/html.py)."""

import base64
import html
import os

from attila.compare import images
from attila import page as html_page
from attila.paths import TOP

STYLE = """
:root { color-scheme: light dark; --line: #8886; --first: #0072b2; --second: #d55e00; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 75rem;
       padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid var(--line);
        padding: .15rem .6rem; text-align: right; } td:first-child, th:first-child,
        td.text, th.text { text-align: left; }
.scroll { overflow-x: auto; }
figcaption, .note { font-size: .85rem; opacity: .8; }
code { overflow-wrap: anywhere; }
svg text { fill: currentColor; font-size: 11px; }
.swatch { display: inline-block; width: 1.2em; height: .8em; vertical-align: baseline; }
"""
PAIR = os.path.join(TOP, "src", "report-html", "pair")


def pair_of(kind):
    """The report's: its style, or how a slider and a button move it."""
    with open(PAIR + kind, encoding="utf-8") as f:
        return f.read()


def script():
    return """<script>
%s
document.querySelectorAll(".pair").forEach(pair_controls);
</script>""" % pair_of(".js").replace("export function", "function")


def uri(pixels):
    return "data:image/png;base64," + base64.b64encode(images.png(pixels)).decode()


def table(head, rows, text=(0,)):
    """Columns in text are words, all others numbers."""
    def cell(tag, n, value):
        kind = ' class="text"' if n in text else ""
        return f"<{tag}{kind}>{html.escape(str(value))}</{tag}>"
    out = ["<div class=scroll><table><thead><tr>",
           "".join(cell("th", n, v) for n, v in enumerate(head)), "</tr></thead><tbody>"]
    out += [f"<tr>{''.join(cell('td', n, v) for n, v in enumerate(row))}</tr>" for row in rows]
    return "".join(out + ["</tbody></table></div>"])


def pair(first, second, names):
    """Both pictures on top of each other with a slider and a button that lets them blink, and the
    signed difference."""
    one, two = html.escape(names[0]), html.escape(names[1])
    return """<div class=pair><figure><div class=stack><img alt="%s" src="%s">
<img alt="%s" src="%s"></div>
<input type=range min=0 max=100 value=50 aria-label="how much of %s is shown">
<figcaption>left of the slider %s, right of it %s
<button aria-pressed=false data-first="%s" data-second="%s">blink</button> <output></output>
</figcaption></figure><figure><img alt="signed difference" src="%s">
<figcaption>%s less %s, 4 times: grey where equal</figcaption></figure></div>
""" % (one, uri(first), two, uri(second), one, one, two, one, two,
       uri(images.signed(first, second)), one, two)


def curve(rows, bound):
    """PSNR over frames as SVG; rows: [(frame, dB)]."""
    width, height, low, high = 640, 120, 20.0, 100.0
    if len(rows) < 2:
        return ""
    last = max(frame for frame, _ in rows) or 1

    def place(frame, db):
        db = min(max(db, low), high)
        return 40 + frame / last * (width - 50), 10 + (high - db) / (high - low) * (height - 30)
    points = " ".join("%.1f,%.1f" % place(*row) for row in rows)
    y = place(0, bound)[1]
    return ('<svg viewBox="0 0 %d %d" width="%d" height="%d" role="img" '
            'aria-label="PSNR over frames"><line x1="40" x2="%d" y1="%.1f" y2="%.1f" '
            'stroke="var(--second)" stroke-dasharray="4 3"/><polyline fill="none" '
            'stroke="var(--first)" stroke-width="1.5" points="%s"/><text x="0" y="14">100 dB'
            '</text><text x="0" y="%.1f">%g dB</text><text x="40" y="%d">frame 0</text>'
            '<text x="%d" y="%d" text-anchor="end">frame %d</text></svg>' %
            (width, height, width, height, width - 10, y, y, points, y + 4, bound, height - 4,
             width - 10, height - 4, last))


def page(title, body):
    return html_page.page(title, STYLE + pair_of(".css"), "\n".join(body + [script()]))


def legend():
    out = ["<h2>Classes of differing pixels</h2><dl>"]
    out += [f"<dt>{name}</dt><dd>{html.escape(images.MEANING[name])}</dd>"
            for name in images.CLASSES]
    return "".join(out + ["</dl>"])


def comparison(result):
    """The page of a comparison. result: what compare_main.Comparison holds."""
    one, two = result.first, result.second
    body = [f"<h1>{html.escape(one.renderer)} beside {html.escape(two.renderer)}</h1>",
            '<p class="note">%s; %s</p>' % (html.escape(one.version), html.escape(two.version)),
            table(result.HEAD, result.rows(), (0, len(result.HEAD) - 1))]
    for program in result.programs:
        body.append(f"<h2>{html.escape(program.name)}</h2>")
        body.append(curve([(f["frame"], f["psnr"]) for f in program.frames if "psnr" in f],
                          result.bound))
        for frame in program.shown():
            figures = program.frames[program.index(frame)]
            words = ", ".join(f"{n} of {c}" for c, n in figures["classes"].items() if n)
            body.append("<h3>frame %d: %.2f dB, SSIM %.4f</h3><p>%d pixels differ%s, by up to %d."
                        % (frame, figures["psnr"], figures["ssim"], figures["pixels"],
                           f" ({words})" if words else "", figures["largest"]))
            if figures.get("call"):
                body.append(f" Comes with call {figures['call']}: "
                            f"<code>{html.escape(figures['draw'])}</code>")
            body.append("</p>" + pair(*program.picture(frame), (one.name, two.name)))
    return page(f"Attila beside {two.renderer}", body + [legend()])


def swatch(colour):
    return '<span class=swatch style="background:rgb(%d,%d,%d)"></span> %d %d %d' % (colour * 2)


def bisection(found, first, second, name, frame, state, textures):
    """The page of a bisect that found a draw."""
    x, y = found.pixel
    body = [f"<h1>{html.escape(name)}, frame {frame}: first draw that goes wrong</h1>",
            f"<p>Call {found.call.number}, {found.psnr:.2f} dB: "
            f"<code>{html.escape(found.call.text)}</code></p>"]
    for when in ("before", "after"):
        if (0, when) in found.pictures:
            body.append(f"<h2>{when.capitalize()} the draw</h2>")
            body.append(pair(found.pictures[0, when], found.pictures[1, when],
                             (first.name, second.name)))
    body.append(f"<h2>Pixel {x}, {y} (from the top left)</h2><p>Draws that touched it:</p>")
    body.append("<div class=scroll><table><tr><th class=text>call<th "
                f"class=text>{html.escape(first.name)}<th "
                f"class=text>{html.escape(second.name)}</tr>")
    for call, a, b in found.history:
        mark = " &larr;" if call is found.call else ""
        body.append(f"<tr><td class=text>{call.number} "
                    f"{html.escape(call.title())}{mark}<td>{swatch(a)}<td>{swatch(b)}</tr>")
    body.append("</table></div><h2>State</h2>")
    body.append(table(("state", first.name, second.name), state, (0, 1, 2)))
    body.append("<h2>Textures</h2>" + table(("texture", "what"), textures, (0, 1)))
    return page(f"{name}, frame {frame}", body)
