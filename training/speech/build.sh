#!/bin/sh
# From nothing to main/engine/speech/weights.bin, on Debian 12: packages, corpora, trainings, export.
# sh training/speech/build.sh [work folder]     about three hours on two cores; see README.md
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-/tmp/likeness-speech}
threads=${THREADS:-1}
python=/usr/bin/python3
mkdir -p "$work/corpora"

dpkg -s $(cat "$here/packages.txt") > /dev/null 2>&1 ||
  apt-get install -y --no-install-recommends $(cat "$here/packages.txt")

export ESPEAK_PHONES="$work/espeak_phones" OMP_NUM_THREADS="$threads"
cc -O2 -o "$ESPEAK_PHONES" "$here/espeak_phones.c" -lespeak-ng

$python "$here/corpora.py" "$work/corpora"
# first on voices that bring their phone times …
$python "$here/train.py" "$work/corpora" "$work/teacher.pt" --steps 8000 --threads "$threads"
# … then with that teacher's labels on the recordings that don't
$python "$here/align.py" "$work/teacher.pt" "$work/corpora"
train() { out=$1; shift; $python "$here/train.py" "$work/corpora" "$work/$out.pt" --threads "$threads" "$@"; }
train main --steps 12000 --resume "$work/teacher.pt"
# From here on two ways. flite kal16 has been held out so far, and is of the one: it shows how the training goes
# ("held out") and fixes the contact thresholds in export.py (npm run quality:speech -- --development).
train judged --steps 12000 --resume "$work/main.pt" --rate 1.5e-3 --seed 12
train all --steps 6000 --resume "$work/main.pt" --rate 1e-3 --hold "" --seed 13
# Their mean goes on a little with every voice.
train final --steps 1000 --resume "$work/judged.pt,$work/all.pt" --rate 4e-4 --hold "" --seed 15
$python "$here/export.py" "$work/final.pt" "$here/../../main/engine/speech/weights.bin"
