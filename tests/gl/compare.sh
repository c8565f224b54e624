#!/bin/bash
# First frames of glmark2 scenes in cycle mode match softpipe's.
exec "$(dirname "$0")/../../scripts/compare" --out "$(dirname "$0")/../../out/test/compare"
