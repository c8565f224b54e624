#!/bin/bash
# What scripts/compare calculates: PSNR, SSIM, classes of differing pixels, which draw a difference
# came with. Needs no OpenGL; that it finds a wrong draw is in tests/gl/compare_tools.sh.
. "$(dirname "$0")/../lib/test.sh"
/usr/bin/python3 -c 'import numpy, scipy, PIL' 2>/dev/null ||
   skip "python3-numpy, python3-scipy or python3-pil is not installed"
/usr/bin/python3 "$TOP/tests/lib/compare_check.py" || fail "see above"
