"""Voices that nothing is trained on and that thresholds are chosen on, aligned as align.py aligns.

python3 development.py <checkpoint> <corpora folder>      needs pocketsphinx-testdata and tuxpaint-stamps-default

readers     pocketsphinx's test recordings whose words are known: five sentences of a LibriVox reader, cards by another
stamps-nl   Tux Paint's Dutch; stamps-en and stamps-da are align.py's
"""

import re
import sys

import align

SPHINX = "/usr/share/pocketsphinx/test/data/"


def readers():
    for folder, names in (("librivox", "transcription"), ("cards", "cards.transcription")):
        for row in open(f"{SPHINX}{folder}/{names}", encoding="utf-8"):
            said = re.match(r"<s>(.*)</s> \((.+)\)", row)
            if said:
                yield f"{SPHINX}{folder}/{said[2]}.wav", said[1].strip()


if __name__ == "__main__":
    teacher, out = align.Teacher(sys.argv[1]), sys.argv[2]
    align.spoken(teacher, out, "readers", "en-us", list(readers()))
    align.spoken(teacher, out, "stamps-nl", "nl", list(align.stamps("nl")))
