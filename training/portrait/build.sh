#!/bin/sh
# From nothing to main/engine/portrait/fit/depth_weights.ts: see README.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
work=${1:-/tmp/likeness-portrait}
node="$project/node_modules/.bin/node"
mkdir -p "$work"
"$node" "$here/draw_heads.ts" 350 1000003 "$work/drawn-1.jsonl" "$work/mesh.json" &
"$node" "$here/draw_heads.ts" 350 2000006 "$work/drawn-2.jsonl" &
wait
python3 "$here/learn.py" "$work/mesh.json" "$work/drawn-1.jsonl" "$work/drawn-2.jsonl" > "$work/depth_weights.ts"
cp "$work/depth_weights.ts" "$project/main/engine/portrait/fit/depth_weights.ts"
cd "$project"
"$node" node_modules/.bin/biome format --write main/engine/portrait/fit/depth_weights.ts
