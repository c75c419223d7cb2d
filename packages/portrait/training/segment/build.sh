#!/bin/sh
# From photos with masks to the weights of the segmentation network: see README.md.
# build.sh [WORK] [STEPS] [LAST_STEPS]; goes on where it was stopped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../../../.." && pwd)
source="$project/../shared/hair"
work=${1:-/tmp/likeness-segment}
steps=${2:-20000}
last=${3:-3000}
python=${PYTHON:-python3}
node="$project/node_modules/.bin/node"
mkdir -p "$work"
cd "$project"
[ -f "$work/faces.jsonl" ] || "$node" "$here/find_faces.ts" "$source/photos" "$work/faces.jsonl"
if [ ! -f "$work/windows.npz" ]; then
  "$python" "$here/build_data.py" "$source" "$work/faces.jsonl" "$work/photos.npz"
  "$python" "$here/make_bald.py" "$work/photos.npz" "$work/made.npz"
  "$node" "$here/draw_heads.ts" "$work/drawn" 30
  "$node" "$here/find_faces.ts" "$work/drawn/photos" "$work/drawn.jsonl"
  "$python" "$here/build_data.py" "$work/drawn" "$work/drawn.jsonl" "$work/drawn.npz"
  "$python" "$here/join.py" "$work/joined.npz" "$work/made.npz" "$work/drawn.npz"
  mv "$work/joined.npz" "$work/windows.npz"
fi
"$python" "$here/train.py" "$work/windows.npz" "$work/run" "$steps" --start "$here/../../src/segment/segmentation_weights.bin"
"$python" "$here/train.py" "$work/windows.npz" "$work/run" "$last" --finish
"$python" "$here/export.py" "$work/run/final.pt" "$here/../../src/segment/segmentation_weights.bin"
