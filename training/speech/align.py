"""Labels for recorded voices that come without phone times, made with a checkpoint trained on those that have them.

python3 align.py <checkpoint> <corpora folder>

real-zh-chu     gcin-voice */5.ogg: 1,158 Mandarin syllables, the syllable known: Viterbi, joined into utterances
real-en-allison asterisk-core-sounds-en: words by pocketsphinx, phones by its dictionary, times by Viterbi
real-*          asterisk-core-sounds-{es,fr,it,ru}: no words: the checkpoint's own confident frames (noisy student)
"""

import glob
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np
import torch

import corpora
import features
import train
import visemes
from network import LOOKAHEADS, Network

V = visemes.INDEX
SIL = V["sil"]
SEED = 31


class Teacher:
    def __init__(self, path):
        saved = torch.load(path)
        self.net = Network()
        self.net.load_state_dict(saved["net"])
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


def viterbi(logp, states, least=2, windows=None):
    """states: viseme of each state in order, optional ones (silences) as (viseme, True).
    → state index of every frame, mean log posterior. windows: [(first, last frame)] per state, or None."""
    n, m = len(logp), len(states)
    total = np.full((n, m), -1e9)
    back = np.zeros((n, m), np.int32)
    score = np.stack([logp[:, v] for v, _ in states], 1)
    if windows is not None:
        t = np.arange(n)
        for k, (a, b) in enumerate(windows):
            score[(t < a) | (t > b), k] = -20
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


def decoded(path, options=()):
    raw = subprocess.run(["ffmpeg", "-loglevel", "error", *options, "-i", path, "-ac", "1", "-ar", "16000", "-f", "s16le",
                          "-"], capture_output=True).stdout
    return np.frombuffer(raw, "<i2").astype(np.float32) / 32768


def mandarin(teacher, out):
    corpus, rng, pieces, kept = Labelled("real-zh-chu"), random.Random(SEED), [], 0
    for path in sorted(glob.glob("/usr/share/gcin-voice/ogg/*/5.ogg")):
        parts = syllable(path.split("/")[-2])
        if parts is None:
            continue
        sound = decoded(path)
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
    corpus.save(out)


def dictionary():
    out = {}
    for path in glob.glob("/usr/share/pocketsphinx/model/en-us/*.dict"):
        for line in open(path):
            word, *phones = line.split()
            out[word] = phones
    return out


MODEL = "/usr/share/pocketsphinx/model/en-us/"


def english(teacher, out):
    """Allison Smith's prompts: words and their rough times by pocketsphinx, phones within them by Viterbi."""
    corpus, words = Labelled("real-en-allison"), dictionary()
    paths = [p for p in sorted(glob.glob("/usr/share/asterisk/sounds/en_US_f_Allison/**/*.g722", recursive=True))
             if not re.search(r"beep|tone|silence|moh|monkey|laugh|/fpm|ascending", p)]
    with tempfile.TemporaryDirectory() as t:
        sounds = []
        for i, path in enumerate(paths):
            sound = decoded(path, ("-f", "g722"))
            sounds.append(np.concatenate([np.zeros(4800), sound, np.zeros(4800)]).astype(np.float32))
            (sounds[i] * 32767).astype("<i2").tofile(f"{t}/{i}.raw")
        control(t, range(len(paths)))
        heard = out + "/real-en-allison.words"  # kept: aligning again with a better checkpoint needs no new hearing
        if not os.path.exists(heard):
            recognise(t, heard, "-lm", MODEL + "en-us.lm.bin", "-dict", MODEL + "cmudict-en-us.dict")
        kept = 0
        for i, items in segments_of(heard):
            sound = sounds[i]
            logp, _ = teacher(sound)
            states, windows = [(SIL, True)], [(0, len(logp))]
            for start, end, word in items:
                for phone in words.get(word, []):
                    for viseme, _ in visemes.cmu(phone) or []:
                        if states[-1] != (V[viseme], False):
                            states.append((V[viseme], False))
                            windows.append((start - 12, end + 12))
                        else:
                            windows[-1] = (windows[-1][0], end + 12)
                if word in words:
                    states.append((SIL, True))
                    windows.append((0, len(logp)))
            if len(states) < 4 or len(states) * 2 > len(logp):
                continue
            state, score = viterbi(logp, states, 2, windows)
            label = np.array([v for v, _ in states])[state]
            if score < -1.9 or (label == logp.argmax(1)).mean() < 0.45:
                continue
            # what the sound plainly contradicts is a misheard word: unknown
            own = logp[np.arange(len(label)), label]
            for k in np.unique(state):
                if own[state == k].mean() < -3.5 and label[state == k][0] != V["RR"]:
                    label[state == k] = 255
            kept += 1
            corpus.add_labels(sound, label)
    print("real-en-allison kept", kept, "of", len(paths))
    corpus.save(out)


def control(folder, utterances):
    with open(folder + "/ctl", "w") as f:
        f.write("".join(f"{i}\n" for i in utterances))


def recognise(folder, result, *options):
    subprocess.run(["pocketsphinx_batch", "-adcin", "yes", "-cepdir", folder, "-cepext", ".raw", "-ctl",
                    folder + "/ctl", "-hmm", MODEL + "en-us", "-hypseg", result, "-logfn", "/dev/null", *options], capture_output=True)


def segments_of(path):
    """Rows of -hypseg: "<utt> S <n> T <score> A <n> L <n> {<start> <score> <lm> <word>}… <end>" → [(start, end, word)]"""
    for row in open(path):
        try:
            i = int(row.split()[0])
        except ValueError:
            continue
        body = row[row.index(" L ") + 3:].split(" ", 1)[1]
        items = re.findall(r"(\d+) (-?\d+) (-?\d+) (\S+)", body)
        starts = [int(a) for a, _, _, _ in items] + [int(body.split()[-1])]
        yield i, [(starts[k], starts[k + 1], w) for k, (_, _, _, w) in enumerate(items)]


def student(teacher, out, name, folder):
    corpus = Labelled(name)
    for path in sorted(glob.glob(f"/usr/share/asterisk/sounds/{folder}/**/*.g722", recursive=True)):
        if re.search(r"beep|tone|silence|moh", path):
            continue
        sound = decoded(path, ("-f", "g722"))
        if len(sound) < 8000:
            continue
        sound = np.concatenate([np.zeros(3200), sound, np.zeros(3200)]).astype(np.float32)
        logp, mel = teacher(sound)
        smooth = np.exp(logp)
        smooth[1:-1] = (smooth[:-2] + 2 * smooth[1:-1] + smooth[2:]) / 4
        label = smooth.argmax(1)
        label[(smooth.max(1) < 0.55) | (label == V["RR"])] = 255
        corpus.add_labels(sound, label)
    corpus.save(out)


if __name__ == "__main__":
    teacher, out = Teacher(sys.argv[1]), sys.argv[2]
    only = sys.argv[3:]
    if not only or "zh" in only:
        mandarin(teacher, out)
    if not only or "en" in only:
        english(teacher, out)
    for name, folder in (("real-ru-maxim", "ru_RU_f_IvrvoiceRU"), ("real-fr-june", "fr_CA_f_June"),
                         ("real-es-allison", "es_MX_f_Allison"), ("real-it-carlo", "it_IT_m_Carlo")):
        if not only or name in only:
            student(teacher, out, name, folder)
