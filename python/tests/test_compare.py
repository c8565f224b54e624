"""What attila.compare calculates, on pictures whose answer is known: PSNR, SSIM, classes of pixels
that differ, which draw a difference came with. Not here: OpenGL (tests/gl/compare_tools.sh)."""

import io
import math
import tempfile
import zlib

import numpy
import pytest

from attila.cli import Error
from attila.compare import doc as compare_doc
from attila.compare import draws as compare_draws
from attila.compare import images
from attila.compare import imgdiff
from attila.compare import replay
from attila.compare import result as compare_result
from attila.compare import time as compare_time
from attila import frame_ranges


def check(condition, text):
    assert condition, text


def only(name, first, second, text):
    """All differing pixels are in that class, and there are some."""
    classes = images.compare(first, second)["classes"]
    check(classes[name] and sum(classes.values()) == classes[name], "%s: %s" % (text, classes))


def grey(value):
    return numpy.full((64, 64, 3), value, numpy.uint8)


def test_pictures():
    a, b = grey(100), grey(100)
    check(images.compare(a, b)["psnr"] == images.EQUAL, "PSNR of equal pictures")
    b[:, :, 0] += 10
    # One channel of three differs by 10: the mean of the squares is 100 / 3.
    want = 10 * math.log10(255 ** 2 / (100 / 3))
    check(abs(images.psnr(a, b) - want) < 1e-6, "PSNR %f, not %f" % (images.psnr(a, b), want))
    check(abs(images.ssim(a, a) - 1) < 1e-6, "SSIM of equal pictures")
    # Flat pictures: only the term of the brightness is left.
    x, y, c = 100.0, 120.0, (0.01 * 255) ** 2
    want = (2 * x * y + c) / (x * x + y * y + c)
    check(abs(images.ssim(grey(100), grey(120)) - want) < 1e-4, "SSIM of flat pictures")
    check(images.signed(grey(100), grey(110))[0, 0, 0] == 128 - 40, "signed difference")
    check(images.largest(a, b).max() == 10, "largest difference")


def test_classes():
    only("precision", grey(100), grey(100 + images.PRECISION), "rounding")
    only("shading", grey(100), grey(120), "another colour")
    only("geometry", grey(0), grey(200), "another surface")
    a, b = grey(0), grey(0)
    a[:, 30:], b[:, 31:] = 255, 255
    only("edge", a, b, "an edge that is one pixel away")
    # A pattern of stripes, and the same weighed over three pixels.
    a = grey(0)
    a[:] = (numpy.arange(64) % 4 * 30)[None, :, None]
    b = numpy.round((a.astype(float) + numpy.roll(a, 1, 1) + numpy.roll(a, -1, 1)) / 3)
    classes = images.compare(a[:, 8:56], b[:, 8:56].astype(numpy.uint8))["classes"]
    check(classes["filtering"] > 0.8 * 48 * 64 / 2 and not classes["geometry"],
          "a softer texture: %s" % classes)


def test_streams():
    pnm = b"P6\n#17\n2 1\n255\n\1\2\3\4\5\6P5\n#18\n1 1\n255\n\7"
    stream = io.BytesIO(pnm)
    call, pixels = images.read_pnm(stream)
    check(call == 17 and pixels.tolist() == [[[1, 2, 3], [4, 5, 6]]], "P6")
    call, pixels = images.read_pnm(stream)
    check(call == 18 and pixels.tolist() == [[[7, 7, 7]]], "P5")
    check(images.read_pnm(stream) is None, "end")
    for text in (b"hello\n", pnm[:14]):
        try:
            images.read_pnm(io.BytesIO(text))
            check(False, "%r is taken for a picture" % text)
        except images.PictureError:
            pass
    check((images.unpack(images.pack(pixels)) == pixels).all(), "pack")


class Call:
    def __init__(self, number, target=0):
        self.number, self.target = number, target


def test_origins():
    """A frame of three draws: the second brings an error, the third covers half of it and brings a
    smaller one elsewhere."""
    o = compare_draws.Origins(30)
    a, b = grey(0), grey(0)
    o.draw(Call(1), a, b)
    b = b.copy()
    b[:32] = 100
    o.draw(Call(2), a, b)
    b = b.copy()
    b[:16], b[60:] = 0, 20
    o.draw(Call(3), a, b)
    shares = dict(o.shares())
    want = 16 * 100 ** 2 / (16 * 100 ** 2 + 4 * 20 ** 2)
    check(abs(shares[2] - want) < 1e-9 and abs(shares[3] - (1 - want)) < 1e-9,
          "shares %s" % shares)
    check(o.first is None, "the window is no texture")
    o.draw(Call(4, 9), grey(0), grey(100))
    check(o.first.number == 4, "first draw into a texture below the bound")
    draws = [Call(n, n == 30) for n in range(60)]
    check([c.number for c in compare_draws.samples(draws)] == [23, 29, 30, 47, 59], "samples")


def test_calls():
    c = compare_draws.Calls.__new__(compare_draws.Calls)
    c.ends, c.calls = [], {}
    c.read(["1 glBindFramebuffer(target = GL_FRAMEBUFFER, framebuffer = 4)\n",
            "2 glUseProgram(program = 7)\n",
            "3 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 6)\n",
            "4 glBindFramebuffer(target = GL_READ_FRAMEBUFFER, framebuffer = 9)\n",
            "5 glBegin(mode = GL_QUADS)\n", "6 glVertex2f(x = 1, y = 0)\n", "7 glEnd()\n",
            "8 glXSwapBuffers(dpy = 0x55, drawable = 2)\n", "", "9 glClear(mask = GL_NONE)\n"])
    check(c.span(0) == (0, 8) and c.ends == [8], "frames")
    check(c.calls[3].title() == "glDrawArrays(GL_TRIANGLES, 0, 6) with program 7 in framebuffer 4",
          c.calls[3].title())
    check("GL_QUADS" in c.calls[7].text and "1 vertices" in c.calls[7].text, c.calls[7].text)
    check(c.calls[7].target == 4 and c.calls[9].frame == 1, "target and frame")


def test_times():
    draws = [compare_time.Draw(compare_draws.Call(n, "draw %d" % n, 1, 0, 0), 1, ours, theirs)
             for n, (ours, theirs) in enumerate(((10, 100), (20, 300), (30, 200), (40, 400)))]
    check(abs(compare_time.spearman(draws) - 0.8) < 1e-9, "Spearman")
    for d in draws:
        d.ratio = d.ours / d.theirs
    draws[2].ratio = 50
    check(compare_time.disagree(draws, 1) == [draws[2]], "the draw that disagrees most")
    check(frame_ranges.text([3, 1, 2, 7], ", ") == "1-3, 7", "frames as text")
    check(frame_ranges.text([9, 3, 8, 7]) == "3,7-9", "frames as attila-sample takes them")


def test_document():
    """A frame without a sentence counts as not explained; with one it is a row."""
    comparison = compare_result.Comparison(None, None, 40, 0)
    found = compare_result.Frames(replay.Program("game", "game.trace"))
    figures = images.compare(grey(0), grey(200))
    found.frames = [dict(figures, frame=n, call=n, draw="glDraw(%d)" % n) for n in (3, 4, 9)]
    comparison.programs.append(found)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
        f.write("# comment\ngame | Draw.[34] | Known,\n   and why\n")
        f.flush()
        causes = compare_doc.read_causes(f.name)
    rows, missing = compare_doc.explained(comparison, causes)
    check(missing == 1 and len(rows) == 2, "rows %s" % rows)
    check("3-4" in rows[0] and "Known, and why" in rows[0] and "not explained" in rows[1],
          "rows %s" % rows)
    assert compare_doc.read_causes(), "tests/gl/hardware-causes.txt"


def test_imgdiff_judges_two_files(tmp_path, capsys):
    a, b = str(tmp_path / "a.png"), str(tmp_path / "b.png")
    changed = grey(100)
    changed[8:16, 0:8] = 160
    for path, pixels in ((a, grey(100)), (b, changed)):
        with open(path, "wb") as f:
            f.write(images.png(pixels))
    assert imgdiff.main(["--quiet", "--min-psnr", "99", "--max-blocks", "0", a, a]) == 0
    assert imgdiff.main(["--quiet", a, b, "--max-blocks", "0"]) == 1
    assert imgdiff.main(["--quiet", a, b, "--max-blocks", "1", "--min-psnr", "40"]) == 1
    psnr = 10 * math.log10(255 ** 2 / (60 ** 2 / 64))
    assert capsys.readouterr().out.split("\n")[1] == f"{psnr:.2f} 60 64 1"
    assert imgdiff.main(["--crc", a]) == 0
    assert capsys.readouterr().out == f"{zlib.crc32(grey(100).tobytes()):08x} 64x64\n"
    with pytest.raises(Error, match="No such file"):
        imgdiff.main([a, str(tmp_path / "none.png")])
