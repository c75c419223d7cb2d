#!/bin/sh
# usage: sh packages/portrait/training/light/build.sh PHOTOS ASSETS WORK
# Makes packages/portrait/src/albedo/light_weights.ts again, from its present weights; README.md beside this folder says what is needed.
set -e
photos=$1 assets=$2 work=$3
here=$(dirname "$0")
weights=$here/../../src/albedo/light_weights.ts
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MALLOC_CONF=dirty_decay_ms:-1,muzzy_decay_ms:-1
# PyTorch of Debian takes five to ten times as long with the C library's allocator.
python() { LD_PRELOAD=libjemalloc.so.2 /usr/bin/python3 "$@"; }
node "$here/read_faces.ts" "$photos" "$work/faces"
blender -b --python "$here/read_places.py" -- "$assets" "$work/places"
python "$here/faces.py" "$work/faces" "$weights" "$work/faces.npz"
python "$here/train.py" "$work/faces.npz" "$work/places" "$work/light.pt" --weights "$weights" --write "$work/light_weights.ts"
echo "Measure $work/light_weights.ts with npm run quality -- lights before you take it."
