"""Labels for recorded voices that come without phone times, made with a checkpoint trained on those that have them.

python3 align.py <checkpoint> <corpora folder>

real-zh-chu     gcin-voice */5.ogg: 1,158 Mandarin syllables, the syllable known: Viterbi, joined into utterances
real-*          asterisk-core-sounds-{en,es,fr,it,ru}: telephone prompts; the texts come with them, phones by espeak-ng's
                rules, times by Viterbi
stamps-*        tuxpaint-stamps-default: descriptions of pictures by volunteers at home, the same way
real-*-fish     fillets-ng-data-{cs,nl}: a game's dialogues, acted; its scripts bring the words, the same way
real-en-queen-* flight-of-the-amazon-queen: another's, in English, by some dozens of voices
real-en-sky     beneath-a-steel-sky: a third's, in English
pico-*          what SVOX Pico's two English women say of texts.py's sentences: it tells no phone times either
"""

import glob
import gzip
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np
import torch

import corpora
import features
import texts
import train
import visemes
from network import LOOKAHEADS, checkpoint, network_of

V = visemes.INDEX
SIL = V["sil"]
SEED = 31


class Teacher:
    def __init__(self, path):
        saved = checkpoint(path)
        self.net = network_of(saved)
        self.net.eval()
        self.start = saved["start_mean"]
        torch.set_num_threads(1)

    def __call__(self, sound):
        """log posteriors [frames, 15] of the mean of the 40 and 60 ms heads, and log-mel [frames, 40]"""
        rms = np.sqrt(np.mean(sound ** 2) + 1e-12)
        mel = features.log_mel(sound * (0.05 / rms))
        padded = np.concatenate([mel[:1].repeat(30, 0), mel, mel[-1:].repeat(6, 0)])
        with torch.no_grad():
            heads = self.net(torch.tensor(train.stream(padded, self.start)).T[None])
        n = len(mel)
        p = sum(torch.softmax(heads[k][0], 0).T[30 + LOOKAHEADS[k]:30 + LOOKAHEADS[k] + n] for k in (2, 3)) / 2
        return np.log(p.numpy() + 1e-4), mel


def viterbi(logp, states, least=2):
    """states: viseme of each state in order, optional ones (silences) as (viseme, True).
    → state index of every frame, mean log posterior"""
    n, m = len(logp), len(states)
    total = np.full((n, m), -1e9)
    back = np.zeros((n, m), np.int32)
    score = np.stack([logp[:, v] for v, _ in states], 1)
    # every obligatory state lasts `least` frames: expanded into a chain
    chain, of = [], []
    for k, (_, optional) in enumerate(states):
        for j in range(1 if optional else least):
            chain.append(k)
            of.append(j)
    c = len(chain)
    first = [of[i] == 0 for i in range(c)]
    last = [i + 1 == c or chain[i + 1] != chain[i] for i in range(c)]
    total = np.full((n, c), -1e9)
    back = np.zeros((n, c), np.int32)
    emit = score[:, chain]
    total[0, 0] = emit[0, 0]
    if states[0][1] and c > 1:
        total[0, 1] = emit[0, 1]
    index = np.arange(c)
    skip_from = np.full(c, -1)
    for i in range(c):  # over one optional state
        k = chain[i]
        if first[i] and k >= 2 and states[k - 1][1]:
            skip_from[i] = max(j for j in range(c) if chain[j] == k - 2)
    stay_ok = np.array(last)
    for t in range(1, n):
        stay = np.where(stay_ok, total[t - 1], -1e9)
        step = np.concatenate([[-1e9], total[t - 1, :-1]])
        skip = np.where(skip_from >= 0, total[t - 1, np.maximum(skip_from, 0)], -1e9)
        choice = np.stack([stay, step, skip])
        best = choice.argmax(0)
        total[t] = choice.max(0) + emit[t]
        back[t] = np.where(best == 0, index, np.where(best == 1, index - 1, skip_from))
    end = c - 1
    if states[-1][1] and c > 1 and total[-1, c - 2] > total[-1, c - 1]:
        end = c - 2
    path = np.zeros(n, np.int32)
    path[-1] = end
    for t in range(n - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    state = np.array(chain)[path]
    return state, score[np.arange(n), state].mean()


class Labelled(corpora.Corpus):
    def __init__(self, name):
        super().__init__(name, "ipa")

    def add_labels(self, sound, label):
        rms = np.sqrt(np.mean(sound ** 2) + 1e-12)
        mel = features.log_mel(sound * (0.05 / rms)).astype(np.float16)
        n = min(len(mel), len(label))
        self.mel.append(mel[:n])
        self.label.append(label[:n].astype(np.uint8))
        self.start.append(self.at)
        self.at += n


BOPOMOFO = {"ㄅ": "PP", "ㄆ": "PP", "ㄇ": "PP", "ㄈ": "FF", "ㄉ": "DD", "ㄊ": "DD", "ㄋ": "nn", "ㄌ": "nn", "ㄍ": "kk",
            "ㄎ": "kk", "ㄏ": "kk", "ㄐ": "CH", "ㄑ": "CH", "ㄒ": "CH", "ㄓ": "CH", "ㄔ": "CH", "ㄕ": "CH", "ㄖ": "RR",
            "ㄗ": "SS", "ㄘ": "SS", "ㄙ": "SS"}
RHYMES = {"ㄧㄢ": "I E nn", "ㄧㄣ": "I nn", "ㄧㄥ": "I nn", "ㄨㄣ": "U E nn", "ㄨㄥ": "U nn", "ㄩㄢ": "U E nn", "ㄩㄣ": "U nn",
          "ㄩㄥ": "U nn", "ㄧㄡ": "I U", "ㄨㄟ": "U E", "ㄧㄠ": "I aa U", "ㄨㄞ": "U aa I", "ㄧㄚ": "I aa", "ㄧㄝ": "I E",
          "ㄧㄤ": "I aa nn", "ㄨㄚ": "U aa", "ㄨㄛ": "U O", "ㄨㄢ": "U aa nn", "ㄨㄤ": "U aa nn", "ㄩㄝ": "U E", "ㄧㄛ": "I O",
          "ㄧㄞ": "I aa I", "ㄧ": "I", "ㄨ": "U", "ㄩ": "U", "ㄚ": "aa", "ㄛ": "O", "ㄜ": "E", "ㄝ": "E", "ㄞ": "aa I", "ㄟ": "E",
          "ㄠ": "aa U", "ㄡ": "O", "ㄢ": "aa nn", "ㄣ": "E nn", "ㄤ": "aa nn", "ㄥ": "E nn", "ㄦ": "E RR"}


def syllable(name):
    name = name.rstrip("0123456789")
    onset = BOPOMOFO.get(name[:1])
    rhyme = name[1:] if onset else name
    if not rhyme:
        return [onset, "I"] if name in "ㄓㄔㄕㄖㄗㄘㄙ" else None
    return ([onset] if onset else []) + RHYMES[rhyme].split() if rhyme in RHYMES else None


def mandarin(teacher, out):
    corpus, rng, pieces, kept = Labelled("real-zh-chu"), random.Random(SEED), [], 0
    said = [(path, syllable(path.split("/")[-2])) for path in sorted(glob.glob("/usr/share/gcin-voice/ogg/*/5.ogg"))]
    said = texts.some((path, parts) for path, parts in said if parts is not None)
    for sound, (_, parts) in zip(decode_all([path for path, _ in said]), said):
        if len(sound) < 1600:
            continue
        sound = sound * (0.05 / np.sqrt(np.mean(sound ** 2) + 1e-9))
        padded = np.concatenate([np.zeros(3200), sound, np.zeros(1600)]).astype(np.float32)
        logp, _ = teacher(padded)
        states = [(SIL, True)] + [(V[p], False) for p in parts] + [(SIL, True)]
        state, score = viterbi(logp, states, 3)
        label = np.array([v for v, _ in states])[state]
        if parts[0] in ("PP", "DD", "kk"):  # the closure before the release makes no sound
            at = int((state == 1).argmax())
            label[max(0, at - 5):at] = V[parts[0]]
        if score > -2.2:
            kept += 1
            pieces.append((sound, label[20:20 + len(sound) // 160], label[14:20]))
    for _ in range(5):  # joined in five orders, with pauses between none and 0.4 s
        order = pieces[:]
        rng.shuffle(order)
        while order:
            sounds, labels = [np.zeros(3200, np.float32)], [np.zeros(20)]
            for _ in range(rng.randint(4, 10)):
                if not order:
                    break
                sound, label, before = order.pop()
                n = len(label) * 160
                quick = rng.random() < 0.5
                if not quick:
                    gap = rng.randint(6, 40)
                    sounds.append(np.zeros(gap * 160, np.float32))
                    labels.append(np.concatenate([np.zeros(gap - 6), before]))
                sounds.append(sound[:n] * np.minimum(1, np.minimum(np.arange(n), n - 1 - np.arange(n)) / 160))
                labels.append(label)
            joined = np.concatenate(sounds)
            corpus.add_labels(joined + np.random.default_rng(1).normal(0, 2e-4, len(joined)).astype(np.float32),
                              np.concatenate(labels))
    print("real-zh-chu kept", kept, "syllables")
    if kept:
        corpus.save(out)


def decode_all(paths, options=()):
    """sounds at 16 kHz, sixty files to an ffmpeg: starting it takes longer than a short recording"""
    for k in range(0, len(paths), 60):
        some = paths[k:k + 60]
        with tempfile.TemporaryDirectory() as t:
            reads = [word for path in some for word in (*options, "-i", path)]
            writes = [word for i in range(len(some))
                      for word in ("-map", f"{i}:a", "-ac", "1", "-ar", "16000", "-f", "s16le", f"{t}/{i}")]
            subprocess.run(["ffmpeg", "-loglevel", "error", *reads, *writes], capture_output=True)
            for i in range(len(some)):
                raw = np.fromfile(f"{t}/{i}", "<i2") if os.path.exists(f"{t}/{i}") else np.zeros(0)
                yield raw.astype(np.float32) / 32768


def phones_of(voice, lines):
    """espeak-ng's phones of each line; '' where words join"""
    with tempfile.TemporaryDirectory() as t:
        feed = "".join(f"{voice}\t175\t50\t50\t{t}/{i}\t{line}\n" for i, line in enumerate(lines))
        subprocess.run([corpora.ESPEAK_PHONES], input=feed.encode(), capture_output=True)
        for i in range(len(lines)):
            path = f"{t}/{i}.phones"
            rows = open(path, encoding="utf-8", errors="replace").readlines() if os.path.exists(path) else []
            yield [row.rstrip("\n").split("\t")[1] for row in rows[:-1]]


def states_of(phones):
    """What the mouth goes through, a pause allowed wherever words join; None where a phone is not known."""
    states = [(SIL, True)]
    for phone in phones:
        parts = visemes.ipa(phone) if phone else [("sil", 1.0)]
        if parts is None:
            return None
        for viseme, _ in parts:
            state = (V[viseme], viseme == "sil")
            if states[-1] != state:
                states.append(state)
    return states if states[-1][1] else states + [(SIL, True)]


def spoken(teacher, out, name, voice, recordings, options=()):
    """Recordings whose words are known, [(path, text)]: phones by espeak-ng's rules, times by Viterbi."""
    corpus, kept, recordings = Labelled(name), 0, texts.some(recordings)
    sounds = decode_all([path for path, _ in recordings], options)
    for sound, phones in zip(sounds, phones_of(voice, [text for _, text in recordings])):
        states = states_of(phones)
        if states is None or len(states) < 3 or len(sound) < 5000 or np.abs(sound).max() < 0.01:
            continue
        sound = np.concatenate([np.zeros(1600), sound, np.zeros(1600)]).astype(np.float32)
        logp, _ = teacher(sound)
        if len(states) * 2 > len(logp):
            continue
        state, score = viterbi(logp, states)
        label = np.array([v for v, _ in states])[state]
        if score < -1.9 or (label == logp.argmax(1)).mean() < 0.45:
            continue
        # what the sound plainly contradicts was said otherwise: unknown
        own = logp[np.arange(len(label)), label]
        for k in np.unique(state):
            if own[state == k].mean() < -3.5 and label[state == k][0] != V["RR"]:
                label[state == k] = 255
        kept += 1
        corpus.add_labels(sound, label)
    print(name, "kept", kept, "of", len(recordings), flush=True)
    if kept:
        corpus.save(out)


PROMPTS = {  # language: (corpus, espeak-ng's voice, folder)
    "en": ("real-en-allison", "en-us", "en_US_f_Allison"),
    "es": ("real-es-allison", "es-419", "es_MX_f_Allison"),
    "fr": ("real-fr-june", "fr", "fr_CA_f_June"),
    "it": ("real-it-carlo", "it", "it_IT_m_Carlo"),
    "ru": ("real-ru-maxim", "ru", "ru_RU_f_IvrvoiceRU"),
}


def prompts(language):
    """Telephone prompts and what they say."""
    texts = f"/usr/share/doc/asterisk-core-sounds-{language}/core-sounds-{language}.txt.gz"
    for row in gzip.open(texts, "rt", encoding="utf-8-sig", errors="replace"):
        said = re.match(r"([\w/-]+): *([^\[(<].*)", row)
        path = said and f"/usr/share/asterisk/sounds/{PROMPTS[language][2]}/{said[1]}.g722"
        if said and os.path.exists(path):
            yield path, said[2].strip()


STAMPS = "/usr/share/tuxpaint/stamps/"


def stamps(language):
    """Tux Paint's descriptions of its stamps, spoken by volunteers, and their texts: one speaker in most languages.
    English ones are named after no language, and their words are the text's first line."""
    ending, start = ("", "") if language == "en" else ("_" + language, language + ".utf8=")
    for path in sorted(glob.glob(f"{STAMPS}**/*_desc{ending}.ogg", recursive=True)):
        texts = path[:path.rindex("_desc")] + ".txt"
        rows = open(texts, encoding="utf-8", errors="replace").readlines() if os.path.exists(texts) else []
        for row in rows[:1] if language == "en" else rows:
            if row.startswith(start):
                yield path, row[len(start):].strip()


FISH = "/usr/share/games/fillets-ng/"
LINE = re.compile(r'dialogId\("([^"]*)", "([^"]*)", "(?:[^"\\]|\\.)*"\)\s*dialogStr\("((?:[^"\\]|\\.)*)"\)')


def dialogues(language):
    """What the two fish of Fish Fillets say, acted: {font of the speaker's words: [(path, text)]}"""
    said = {}
    for path in sorted(glob.glob(f"{FISH}script/*/dialogs_{language}.lua")):
        level = path.split("/")[-2]
        for name, font, text in LINE.findall(open(path, encoding="utf-8").read()):
            sound = f"{FISH}sound/{level}/{language}/{name}.ogg"
            if os.path.exists(sound):
                said.setdefault(font, []).append((sound, text))
    return said


QUEEN = "/usr/share/scummvm/flight-of-the-amazon-queen/queen.1c"
PRINTABLE = re.compile(rb"[\x20-\x7e]+")


def spoken_parts(stem, text):
    """A line of Flight of the Amazon Queen → the name and words of each of its recordings: `*` and two letters end one."""
    for k, words in enumerate(re.split(r"\*\w\w", text), 1):
        if re.search("[a-zA-Z]{2}", words) and "*" not in words:
            yield f"{stem}{k}.SB", words.strip()


def dialogue(data):
    """.DOG: what Joe and the other (P) can say to each other, by number; where each part begins stands in front."""
    levels, _, key = struct.unpack_from(">3h", data, 20)
    person, end = (20 + at for at in struct.unpack_from(">2h", data, 42))
    for at in range(52 + 96 * abs(levels), min(end if end > person else len(data), len(data) - 3), 2):
        number, size = struct.unpack_from(">HB", data, at)
        text = data[at + 3:at + 3 + size]
        if number < 256 and len(text) == size > 1 and PRINTABLE.fullmatch(text):
            yield from spoken_parts(f"{key:02}{number:04X}{'J' if at < person else 'P'}", text.decode())


def cutaway(stem, data):
    """.CUT: a scene, its lines counted from 1."""
    at, number = 20 + struct.unpack_from(">H", data, 28)[0], 0
    while at < len(data):
        text = data[at + 1:at + 1 + data[at]]
        if text and not PRINTABLE.fullmatch(text):
            return
        at += 1 + len(text)
        if text:
            number += 1
            yield from spoken_parts(f"{stem:_<5}{number:02}", text.decode())


def queen(folder):
    """What is said in Flight of the Amazon Queen: {"joe" or "others": [(path, text)]}; recordings go to the folder.

    Its one file holds a table (name, bundle, place, size; all in one order of bytes, the high one first) and the files.
    """
    data = open(QUEEN, "rb").read()
    files = {}
    for i in range(struct.unpack_from(">H", data, 13)[0]):
        name, _, at, size = struct.unpack_from(">12sBII", data, 15 + 21 * i)
        files[name.rstrip(b"\0 ").decode("latin1")] = data[at:at + size]
    spoken_lines = []
    for name, content in files.items():
        stem, _, kind = name.partition(".")
        spoken_lines += dialogue(content) if kind == "DOG" else cutaway(stem, content) if kind == "CUT" else ()
    texts = files["QUEEN2.JAS"].decode("latin1").split("\r\n")
    answers = texts.index("It doesn't seem to open*03")
    for number in range(1, 765):
        spoken_lines += spoken_parts(f"JOE{number:04}", texts[answers + number - 1 if number <= 40 else number - 41])
    out = {"joe": [], "others": []}
    for name, words in spoken_lines:
        if name in files:
            with open(f"{folder}/{name}", "wb") as f:
                f.write(files[name])
            out["joe" if name.startswith("JOE") or name[6] == "J" else "others"].append((f"{folder}/{name}", words))
    return out


SKY = "/usr/share/scummvm/beneath-a-steel-sky/sky."
SKY_FIRST = 0, 600, 1100, 2430, 3380, 4530, 5080, 5230  # where the recordings of each section of its texts begin
# The texts' Huffman tree, which lies in the game's programme: a fork (·), what 0 leads to, what 1 leads to; _ is what no
# English line that is spoken has
SKY_TREE = ("··· ·ea···os·tn··.ir·····\0Eu·mA···lI·dR··NST·····Ohc·Dg···LC·pU··!yM·····PvH·?b···'f,·GB·····VkF·qw···K-W·J_"
            "····zY·j_···Q__··Z__··_·_··xX_·····_`2··0___····3_·_4__")


def letters(tree, code=""):
    """A tree read up to a leaf: {code: letter}; the iterator goes on behind it."""
    node = next(tree)
    return {**letters(tree, code + "0"), **letters(tree, code + "1")} if node == "·" else {code: node}


SKY_LETTERS = letters(iter(SKY_TREE))


def unpacked(data):
    """Rob Northen's compression, method 1: bits from the low end of words of two bytes, a word read when its first bit is
    needed; plain bytes stand between the words."""
    size, at, bits, left, out = struct.unpack_from(">I", data, 4)[0], 18, 0, 0, bytearray()

    def take(n):
        nonlocal at, bits, left
        if left < n:
            bits, left, at = bits | int.from_bytes(data[at:at + 2], "little") << left, left + 16, at + 2
        value, bits, left = bits & (1 << n) - 1, bits >> n, left - n
        return value

    def codes():
        """the numbers' Huffman codes, each with a 1 before it"""
        lengths, found, code = [take(4) for _ in range(take(5))], {}, 0
        for length in range(1, 16):
            for k in (k for k, n in enumerate(lengths) if n == length):
                found[1 << length | code] = k
                code += 1
            code *= 2
        return found

    def number(found):
        code = 1
        while code not in found:
            code = 2 * code + take(1)
        n = found[code]
        return n if n < 2 else 1 << n - 1 | take(n - 1)

    take(2)
    while len(out) < size:
        plain, back, again = codes(), codes(), codes()
        for more in range(take(16) - 1, -1, -1):
            n = number(plain)
            out += data[at:at + n]
            at += n
            if more:
                start = len(out) - number(back) - 1
                for k in range(start, start + number(again) + 2):
                    out.append(out[k])
    return bytes(out)


def sky_text(section, number):
    """The text of a section: u16 where the texts' lengths stand, u16 where their bits begin, lengths of 32 texts each in
    u16, then every text's in a byte (in eights where its top bit is set). A length counts pairs of bits."""
    lengths, bits = struct.unpack_from("<2H", section)
    at = sum(struct.unpack_from(f"<{number // 32}H", section, 4))
    at += sum((n & 127) * 8 if n & 128 else n for n in section[lengths + number // 32 * 32:lengths + number])
    at, text, code = bits * 8 + at * 2, "", ""
    while not text.endswith("\0"):
        code, at = code + "01"[section[at // 8] >> 7 - at % 8 & 1], at + 1
        if code in SKY_LETTERS:
            text, code = text + SKY_LETTERS[code], ""
    return text[:-1]


def sky(folder):
    """What is said in Beneath a Steel Sky: [(path, text)]; recordings, 8 bits at 11,025 Hz, go to the folder.

    sky.dnr tells what lies in sky.dsk: u16 number, u24 place (in sixteens where its top bit is set), u24 size and flags.
    Files 60600 to 60607 are the English texts; file 50000 + SKY_FIRST[section] + n says its section's nth. A word in
    capitals is stressed, and espeak-ng would spell some of them."""
    index, disk, files = open(SKY + "dnr", "rb").read(), open(SKY + "dsk", "rb").read(), {}
    for at in range(4, len(index), 8):
        place, size = (int.from_bytes(index[k:k + 3], "little") for k in (at + 2, at + 5))
        place = (place & 0x7fffff) * (16 if place >> 23 else 1)
        files[struct.unpack_from("<H", index, at)[0]] = disk[place:place + (size & 0x3fffff)]
    said = []
    for file in sorted(set(files) & set(range(50000, 57000))):
        section = max(k for k, first in enumerate(SKY_FIRST) if first <= file - 50000)
        text = sky_text(files[60600 + section], file - 50000 - SKY_FIRST[section])
        said.append((file, re.sub(r"\b(?!ID\b)[A-Z]{2,}", lambda word: word[0].lower(), text)))
    for file, words in texts.some(said):  # before they are unpacked, which takes most of the time
        with open(f"{folder}/{file}", "wb") as f:
            f.write(unpacked(files[file][22:]))
        yield f"{folder}/{file}", words


PICO = {  # corpus: (Pico's voice, espeak-ng's, which of texts.english())
    "pico-us": ("en-US", "en-us", slice(9000, 9900)),
    "pico-gb": ("en-GB", "en-gb-x-rp", slice(9900, 10600)),
}


def pico(name, folder):
    """A line at a time, its speed and pitch drawn, in percent: [(path, text)]"""
    rng = random.Random(name)
    for i, line in enumerate(texts.some(texts.english()[PICO[name][2]])):
        said = f'<speed level="{rng.randint(75, 125)}"><pitch level="{rng.randint(85, 118)}">{line}</pitch></speed>'
        subprocess.run(["pico2wave", "-l", PICO[name][0], "-w", f"{folder}/{i}.wav", said], capture_output=True)
        if os.path.exists(f"{folder}/{i}.wav"):
            yield f"{folder}/{i}.wav", line


if __name__ == "__main__":
    teacher, out = Teacher(sys.argv[1]), sys.argv[2]
    only = sys.argv[3:]
    if not only or "zh" in only:
        mandarin(teacher, out)
    for language, (name, voice, _) in PROMPTS.items():
        if not only or language in only:
            spoken(teacher, out, name, voice, list(prompts(language)), ("-f", "g722"))
    for language in "be bg ca da el en es fr ro ru".split():
        if not only or "stamps-" + language in only:
            voice = {"en": "en-us"}.get(language, language)
            spoken(teacher, out, "stamps-" + language, voice, list(stamps(language)))
    for language in "cs nl".split():
        if not only or "fish-" + language in only:
            said = dialogues(language)
            spoken(teacher, out, f"real-{language}-small-fish", language, said["font_small"])
            spoken(teacher, out, f"real-{language}-big-fish", language, said["font_big"])
    if not only or "queen" in only:
        with tempfile.TemporaryDirectory() as folder:
            for who, recordings in queen(folder).items():
                spoken(teacher, out, "real-en-queen-" + who, "en-us", recordings)
    if not only or "sky" in only:
        with tempfile.TemporaryDirectory() as folder:
            spoken(teacher, out, "real-en-sky", "en-us", list(sky(folder)), ("-f", "u8", "-ar", "11025"))
    for name, (_, voice, _) in PICO.items():
        if not only or name in only:
            with tempfile.TemporaryDirectory() as folder:
                spoken(teacher, out, name, voice, list(pico(name, folder)))
