"""Sentences to speak: Debian's fortune files (English, German, Spanish, Italian, Czech, Polish, Chinese) and made-up
words."""

import glob
import os
import random
import re
import subprocess

FORTUNES = "/usr/share/games/fortunes/"
PINYIN = "/usr/share/gocode/src/github.com/mozillazg/go-pinyin/pinyin_dict.go"

# Files that are not plain sentences
SKIP = re.compile(r"(\.dat|\.u8|ascii|banner|/translations|woerterbuch|definitions|zippy|songs|perl)")


# LESS=500 of build.sh: of what is spoken, recorded and aligned a five-hundredth, but enough to cut training rows from
LESS, FEWEST = int(os.environ.get("LESS", "1")), 24


def some(items):
    """Of the lines or recordings of a voice those that a trial takes, spread over them; all of them where it's none."""
    items = list(items)
    return items[::max(1, len(items) // max(FEWEST, len(items) // LESS))]


def _sentences(files, letters, least=3, most=16):
    out = set()
    word = re.compile(r"^[" + letters + r"',.;:!?\- ]+$")
    for name in files:
        if SKIP.search(name) or os.path.isdir(name):
            continue
        try:
            text = open(name, encoding="utf-8").read()
        except UnicodeDecodeError:
            continue
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
        for item in text.split("\n%"):
            for sentence in re.split(r"(?<=[.!?;:])\s+|\n\n|--", " ".join(item.split("\n"))):
                sentence = re.sub(r"\s+", " ", sentence.replace('"', "").replace("`", "'")).strip(" -,*%~'")
                n = len(sentence.split())
                if least <= n <= most and word.match(sentence) and not re.search(r"[A-Z]{3}|(\b\w\b ){3}", sentence):
                    out.add(sentence)
    return sorted(out)


def _shuffled(lines, seed):
    lines = list(lines)
    random.Random(seed).shuffle(lines)
    return lines


def english(seed=1):
    italian_too = {os.path.basename(f) for f in glob.glob(FORTUNES + "it/*")}
    files = [f for f in sorted(glob.glob(FORTUNES + "*")) if os.path.basename(f) not in italian_too]
    return _shuffled(_sentences(files, "a-zA-Z"), seed)


def german(seed=1):
    return _shuffled(_sentences(glob.glob(FORTUNES + "de/*"), "a-zA-ZäöüÄÖÜß"), seed)


def spanish(seed=1):
    return _shuffled(_sentences(glob.glob(FORTUNES + "es/*"), "a-zA-Záéíóúñü"), seed)


def italian(seed=1):
    return _shuffled(_sentences(glob.glob(FORTUNES + "it/*"), "a-zA-Zàèéìòù"), seed)


def czech(seed=1):
    return _shuffled(_sentences(glob.glob(FORTUNES + "cs/*"), "a-zA-ZáčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"), seed)


def polish(seed=1):
    return _shuffled(_sentences(glob.glob(FORTUNES + "pl/*"), "a-zA-ZąćęłńóśźżĄĆĘŁŃÓŚŹŻ"), seed)


_MARKS = {"ā": "a1", "á": "a2", "ǎ": "a3", "à": "a4", "ē": "e1", "é": "e2", "ě": "e3", "è": "e4", "ī": "i1",
          "í": "i2", "ǐ": "i3", "ì": "i4", "ō": "o1", "ó": "o2", "ǒ": "o3", "ò": "o4", "ū": "u1", "ú": "u2",
          "ǔ": "u3", "ù": "u4", "ǖ": "v1", "ǘ": "v2", "ǚ": "v3", "ǜ": "v4", "ü": "v", "ń": "n2", "ň": "n3", "ǹ": "n4"}


def _numbered(marked):
    tone, out = "5", ""
    for letter in marked:
        plain = _MARKS.get(letter, letter)
        out += plain[0]
        if len(plain) > 1:
            tone = plain[1]
    return out + tone


def pinyin_of():
    """Han character → first reading in numbered pinyin."""
    table = {}
    for line in open(PINYIN, encoding="utf-8"):
        m = re.match(r'\s*0x([0-9A-Fa-f]+):\s*"([^",]+)', line)
        if m:
            table[chr(int(m.group(1), 16))] = _numbered(m.group(2))
    return table


def mandarin(seed=1):
    """Clauses of Tang and Song poems and prose, and random syllable runs (a third), as numbered pinyin."""
    table = pinyin_of()
    clauses = set()
    for name in ("chinese", "tang300", "song100"):
        text = re.sub(r"\x1b\[[0-9;]*m", "", open(FORTUNES + name, encoding="utf-8").read())
        for clause in re.split(r"[^\u4e00-\u9fff]+", text):
            if 3 <= len(clause) <= 14 and all(c in table for c in clause):
                clauses.add(clause)
    clauses = _shuffled(sorted(clauses), seed)
    rng = random.Random(seed + 1)
    syllables = sorted({table[c] for clause in clauses for c in clause})
    lines, i = [], 0
    while i < len(clauses):
        k = rng.randint(1, 3)
        lines.append(", ".join(" ".join(table[c] for c in clause) for clause in clauses[i:i + k]))
        i += k
        if rng.random() < 0.5:
            lines.append(" ".join(rng.choice(syllables) for _ in range(rng.randint(4, 14))))
    return lines


def invented(seed, count, onsets, vowels, codas):
    """Made-up words over a language's letters, for voices without a text corpus (Finnish)."""
    rng = random.Random(seed)
    def word():
        return "".join(rng.choice(onsets) + rng.choice(vowels) + (rng.choice(codas) if rng.random() < 0.3 else "")
                       for _ in range(rng.randint(1, 4)))
    return [" ".join(word() for _ in range(rng.randint(4, 9))) for _ in range(count)]


def finnish(seed=1, count=400):
    return invented(seed, count, "p t k m n s h l r j v d p m".split(),
                    "a e i o u y ä ö aa ee ii oo uu ai ei oi au ou uo ie".split(), "n s l r t".split())


if __name__ == "__main__":
    for f in (english, german, spanish, italian, czech, polish, mandarin, finnish):
        lines = f()
        print(f.__name__, len(lines), lines[:3])
