#!/bin/sh
# From nothing to the weights of learnt depth and learnt profile: see README.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../../.." && pwd)
engine="$here/../src"
work=${1:-/tmp/likeness-portrait}
node="$project/node_modules/.bin/node"
mkdir -p "$work"
cd "$project"
keep() {
  cp "$1" "$2"
  "$node" node_modules/.bin/biome format --write "$2"
}
"$node" "$here/draw_heads.ts" 350 1000003 "$work/drawn-1.jsonl" "$work/mesh.json" &
"$node" "$here/draw_heads.ts" 350 2000006 "$work/drawn-2.jsonl" &
wait
python3 "$here/learn.py" "$work/mesh.json" "$work/drawn-1.jsonl" "$work/drawn-2.jsonl" > "$work/depth_weights.ts"
keep "$work/depth_weights.ts" "$engine/fit/depth_weights.ts"
# A profile is read beside what the front tells: with the weights that were learnt just now.
for part in 1 2; do
  "$node" "$here/draw_profiles.ts" "$work/drawn-$part.jsonl" "$work/profiles-$part.jsonl"
done
python3 "$here/learn_profile.py" "$work/mesh.json" "$work/profiles-1.jsonl" "$work/profiles-2.jsonl" > "$work/profile_weights.ts"
keep "$work/profile_weights.ts" "$engine/multi_view/profile_weights.ts"
