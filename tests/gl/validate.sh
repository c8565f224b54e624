#!/bin/bash
# glmark2 --validate in cycle mode: Success for every default entry of the scenes OpenGL 2.1 programs rely on.
. "$(dirname "$0")/../lib/common.sh"
entries="build:use-vbo=false build:use-vbo=true
   texture:texture-filter=nearest texture:texture-filter=linear texture:texture-filter=mipmap
   shading:shading=gouraud shading:shading=blinn-phong-inf shading:shading=phong
   bump:bump-render=high-poly bump:bump-render=normals bump:bump-render=height
   effect2d:kernel=0,1,0;1,-4,1;0,1,0; effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;
   pulsar:light=false:quads=5:texture=false
   desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4 desktop:effect=shadow:windows=4
   buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=map
   buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=subdata
   buffer:columns=200:interleave=true:update-dispersion=0.9:update-fraction=0.5:update-method=map
   conditionals:fragment-steps=0:vertex-steps=0 conditionals:fragment-steps=5:vertex-steps=0
   conditionals:fragment-steps=0:vertex-steps=5
   function:fragment-complexity=low:fragment-steps=5 function:fragment-complexity=medium:fragment-steps=5
   loop:fragment-loop=false:fragment-steps=5:vertex-steps=5
   loop:fragment-steps=5:fragment-uniform=false:vertex-steps=5
   loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5"
args=() count=0
for e in $entries; do args+=(-b "$e"); count=$((count + 1)); done
"$RUN" glmark2 -s 800x600 --validate "${args[@]}" >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "glmark2 did not finish"; }
cat "$WORK/log"
ok=$(grep -c 'Validation: Success' "$WORK/log")
# The effect2d and desktop scenes have no reference pixel in some versions of glmark2 and say Unknown.
unknown=$(grep -c 'Validation: Unknown' "$WORK/log")
[ $((ok + unknown)) = $count ] || fail "$ok Success and $unknown Unknown of $count"
[ "$ok" -ge 20 ] || fail "only $ok of $count are Success"
echo "$ok Success, $unknown Unknown of $count"
