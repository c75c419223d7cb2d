"""Makes the corpora: speech with viseme labels every 10 ms, one .npz a voice.

python3 corpora.py <out folder> [corpus …]      needs the packages of packages.txt, espeak_phones built, and for the
                                                rhvoice-* ones RHVOICE, which rhvoice.sh makes

Each .npz: mel [frames, 40] float16 (features.py), label [frames] uint8 (visemes.NAMES; 255 = unknown),
start [utterances] first frame of each. Recorded voices that are aligned later (align.py) keep `sound` too.
"""

import glob
import os
import random
import re
import subprocess
import sys
import tempfile
import wave

import numpy as np
from scipy.signal import resample_poly

import features
import texts
import visemes

HERE = os.path.dirname(os.path.abspath(__file__))
ESPEAK_PHONES = os.environ.get("ESPEAK_PHONES", "/tmp/espeak_phones")
# Folder with RHVoice, its voices and rhvoice_phones, as rhvoice.sh makes it
RHVOICE = os.environ.get("RHVOICE", "/tmp/rhvoice")
SEED = 20


def read_wav(path):
    """→ float sound at 16 kHz"""
    with wave.open(path) as w:
        rate = w.getframerate()
        sound = np.frombuffer(w.readframes(w.getnframes()), dtype="<i2").astype(np.float32) / 32768
    return to_16k(sound, rate)


def to_16k(sound, rate):
    if rate == 16000:
        return sound
    g = np.gcd(16000, rate)
    return resample_poly(sound, 16000 // g, rate // g).astype(np.float32)


def label_frames(segments, phone_set, seconds, unknown):
    """segments: [(start s, end s, phone)] → uint8 [frames], frame i at i·10 ms"""
    count = int(np.ceil(seconds * 100))
    label = np.full(count, visemes.INDEX["sil"], np.uint8)
    for start, end, phone in segments:
        parts = visemes.SETS[phone_set](phone)
        if parts is None:
            unknown[phone] = unknown.get(phone, 0) + 1
            parts = []
            label[max(0, round(start * 100)):round(end * 100)] = 255
        at = start
        for viseme, share in parts:
            to = at + (end - start) * share
            label[max(0, int(round(at * 100))):int(round(to * 100))] = visemes.INDEX[viseme]
            at = to
    return label


class Corpus:
    def __init__(self, name, phone_set, keep_sound=False):
        self.name, self.phone_set, self.keep = name, phone_set, keep_sound
        self.mel, self.label, self.start, self.at, self.unknown = [], [], [], 0, {}

    def add(self, sound, segments):
        # level every utterance to -26 dBFS rms while it is loud, so that the level is the augmenter's alone
        rms = np.sqrt(np.mean(sound ** 2) + 1e-12)
        mel = features.log_mel(sound * (0.05 / rms)).astype(np.float16)
        label = label_frames(segments, self.phone_set, len(sound) / 16000, self.unknown)
        n = min(len(mel), len(label))
        self.mel.append(mel[:n])
        self.label.append(label[:n])
        self.start.append(self.at)
        self.at += n

    def save(self, out):
        mel, label = np.concatenate(self.mel), np.concatenate(self.label)
        part = os.path.join(out, "." + self.name + ".npz")
        np.savez(part, mel=mel, label=label, start=np.array(self.start))
        os.rename(part, os.path.join(out, self.name + ".npz"))  # a training that watches the folder sees it whole
        shifts = {s: round(explained(mel, label, s), 3) for s in (-4, -2, -1, 0, 1, 2, 4)}
        print(f"{self.name}: {self.at / 6000:.1f} min, {len(self.start)} utterances, "
              f"R2 by label shift {shifts}, unknown phones {self.unknown}", flush=True)


def explained(mel, label, shift):
    """Share of log-mel variance that the labels explain when they are moved `shift` frames later."""
    mel = mel[:200000].astype(np.float32)
    label = np.roll(label[:200000], shift)
    total = mel.var(0).sum()
    left = 0.0
    for v in range(15):
        part = mel[label == v]
        if len(part):
            left += part.var(0).sum() * len(part) / len(mel)
    return 1 - left / total


# A man made into a woman: he speaks slowly at 170 Hz, and the sound is played faster, which shortens his throat as well
WOMAN_SPEED, WOMAN_PITCH, WOMAN_STRETCH = 1.17, 170, 1.15


def sped_up(sound):
    return to_16k(sound, round(16000 * WOMAN_SPEED))


def flite(name, voice, lines, woman=False):
    corpus, lines = Corpus(name, "cmu"), texts.some(lines)
    options = ["--setf", f"int_f0_target_mean={WOMAN_PITCH}", "--setf", f"duration_stretch={WOMAN_STRETCH}"] if woman else []
    for line in lines:
        with tempfile.TemporaryDirectory() as t:
            wav = t + "/a.wav"
            p = subprocess.run(["flite", "-voice", voice, *options, "-psdur", "-o", wav, "-t", line],
                               capture_output=True, text=True)
            try:
                sound = read_wav(wav)
                if woman:
                    sound = sped_up(sound)
                segments, at = [], 0.0
                for item in p.stdout.split():
                    phone, end = item.rsplit(":", 1)
                    segments.append((at, float(end), phone))
                    at = float(end)
            except Exception as error:
                print(voice, line, error)
                continue
        if not segments or len(sound) < 8000:
            continue
        seconds = len(sound) / 16000
        # slt, rms, awb: -psdur's ends overrun the sound a little: rescale. kal16: 0.115 s too long: cut, not scaled.
        if voice != "kal16":
            k = seconds / at
            segments = [(a * k, b * k, p) for a, b, p in segments]
        corpus.add(sound, segments)
    return corpus


FESTIVAL_JOB = """
(define (say text wav seg)
  (let ((u (utt.synth (eval (list 'Utterance 'Text text)))))
    (utt.save.wave u wav 'riff) (utt.save.segs u seg)))
(voice_{voice})
{style}
{says}
"""
FESTIVAL_WOMAN = f"""
(Parameter.set 'Duration_Stretch {WOMAN_STRETCH})
(set! int_lr_params '((target_f0_mean {WOMAN_PITCH}) (target_f0_std 25) (model_f0_mean 170) (model_f0_std 34)))
"""


def festival(name, voice, phone_set, lines, encoding="latin-1", woman=False):
    corpus, lines = Corpus(name, phone_set), texts.some(lines)
    with tempfile.TemporaryDirectory() as t:
        for k in range(0, len(lines), 50):
            says = "\n".join(f'(say "{re.sub(chr(34), "", line)}" "{t}/{k + i}.wav" "{t}/{k + i}.seg")'
                             for i, line in enumerate(lines[k:k + 50]))
            scheme = FESTIVAL_JOB.format(voice=voice, style=FESTIVAL_WOMAN if woman else "", says=says)
            with open(t + "/job.scm", "wb") as f:
                f.write(scheme.encode(encoding, "ignore"))
            subprocess.run(["festival", "--batch", t + "/job.scm"], capture_output=True)
        for i in range(len(lines)):
            wav, seg = f"{t}/{i}.wav", f"{t}/{i}.seg"
            if not os.path.exists(seg) or not os.path.exists(wav):
                continue
            segments, at = [], 0.0
            for row in open(seg, encoding="latin-1"):
                part = row.split()
                if len(part) == 3 and part[0] != "#":
                    segments.append((at, float(part[0]), part[2]))
                    at = float(part[0])
            try:
                sound = read_wav(wav)
                if woman:
                    sound = sped_up(sound)
                    segments = [(a / WOMAN_SPEED, b / WOMAN_SPEED, p) for a, b, p in segments]
                corpus.add(sound, segments)
            except Exception as error:
                print(voice, error)
    return corpus


STOPS = ("p", "b", "t", "d", "k", "ɡ", "c", "q", "ʈ", "ɖ")


def espeak(name, jobs):
    """jobs: [(voice, text)]; rate and pitch are drawn."""
    corpus, rng, jobs = Corpus(name, "ipa"), random.Random(name), texts.some(jobs)
    with tempfile.TemporaryDirectory() as t:
        feed = ""
        for i, (voice, text) in enumerate(jobs):
            feed += f"{voice}\t{rng.randint(120, 210)}\t{rng.randint(20, 80)}\t{rng.randint(20, 80)}\t{t}/{i}\t{text}\n"
        subprocess.run([ESPEAK_PHONES], input=feed.encode(), capture_output=True)
        for i in range(len(jobs)):
            if not os.path.exists(f"{t}/{i}.s16"):
                continue
            sound = to_16k(np.fromfile(f"{t}/{i}.s16", dtype="<i2").astype(np.float32) / 32768, 22050)
            rows = [r.rstrip("\n").split("\t") for r in open(f"{t}/{i}.phones", encoding="utf-8", errors="replace")]
            if len(rows) < 3 or len(sound) < 8000:
                continue
            at = [int(r[0]) / 1000 for r in rows]
            names = [r[1] for r in rows]
            ends = at[1:] + [len(sound) / 16000]
            # the event of a stop is its release: the closure began some 42 ms before
            starts = list(at)
            for k, phone in enumerate(names):
                if phone and phone.lstrip("ˈˌ").startswith(STOPS):
                    starts[k] = max(at[k] - 0.042, (at[k - 1] + 0.01) if k else 0.0)
                    if k:
                        ends[k - 1] = starts[k]
            segments = []
            for k, phone in enumerate(names):
                if not phone:
                    if ends[k] - starts[k] < 0.04 and segments:  # word joint, not a pause
                        a, _, p = segments[-1]
                        segments[-1] = (a, ends[k], p)
                        continue
                    phone = "_"
                segments.append((starts[k], ends[k], phone))
            corpus.add(sound, segments)
    return corpus


def rhvoice(name, voice, phone_set, lines, late=0.0, semitones=(-2.5, 2.5), warping=(-0.02, 0.02), speed=(0.8, 1.3)):
    """Speed, pitch and length of the throat are drawn for each line. The phones' lengths are the synthesis's own; what
    is heard comes `late` seconds after them: there the labels explain most."""
    corpus, rng, lines = Corpus(name, phone_set), random.Random(name), texts.some(lines)
    libraries = RHVOICE + "/root/usr/lib/x86_64-linux-gnu/"
    speak = [libraries + "ld-linux-x86-64.so.2", "--library-path", libraries, RHVOICE + "/rhvoice_phones",
             libraries + "libRHVoice.so.5", libraries + "libRHVoice_core.so.10", RHVOICE + "/root/usr/share/RHVoice",
             RHVOICE + "/configuration"]
    with tempfile.TemporaryDirectory() as t:
        feed = "".join(f"{voice}\t{rng.uniform(*speed):.3f}\t{rng.uniform(*semitones):.2f}\t{rng.uniform(*warping):.4f}\t"
                       f"{t}/{i}\t{line}\n" for i, line in enumerate(lines))
        subprocess.run(speak, input=feed.encode(), capture_output=True)
        for i in range(len(lines)):
            if not os.path.exists(f"{t}/{i}.phones"):
                continue
            rows = [r.rstrip("\n").split("\t") for r in open(f"{t}/{i}.phones", encoding="utf-8", errors="replace")]
            if len(rows) < 4:
                continue
            rate, ends = int(rows[0][0]), [0] + [int(r[0]) for r in rows[1:]]
            sound = np.fromfile(f"{t}/{i}.s16", dtype="<i2").astype(np.float32) / 32768
            if ends[-1] != len(sound) or len(sound) < rate // 2:
                print(name, lines[i], ends[-1], len(sound))
                continue
            corpus.add(to_16k(sound, rate), [(a / rate + late, b / rate + late, r[1])
                                            for a, b, r in zip(ends, ends[1:], rows[1:])])
    return corpus


def russian(name):
    corpus = Corpus(name, "ru")
    base = "/usr/share/festival/voices/russian/msu_ru_nsh_clunits/"
    for lab in texts.some(sorted(glob.glob(base + "lab/*.lab"))):
        sound = read_wav(base + "wav/" + os.path.basename(lab)[:-4] + ".wav")
        segments, at = [], 0.0
        for row in open(lab):
            part = row.split()
            if len(part) == 3:
                segments.append((at, float(part[0]), part[2]))
                at = float(part[0])
        corpus.add(sound, segments)
    return corpus


EN_VOICES = ["en-us", "en-us", "en-us", "en-gb", "en-gb-x-rp", "en-gb-scotland", "en-us-nyc", "en-gb-x-gbclan",
             "en-gb-x-gbcwmd", "en-029"]
VARIANTS = ("Alex Alicia Andrea Andy Annie Denis Diogo Gene Gene2 Henrique Hugo Jacky Lee Marco Mario Michael Mike "
            "Nguyen Storm Tweaky adam anika antonio aunty belinda benjamin boris caleb david ed edward f1 f2 f3 f4 f5 "
            "grandma grandpa gustave iven john kaukovalta klatt klatt2 klatt3 klatt4 linda m1 m2 m3 m4 m5 m6 m7 m8 "
            "marcelo max michel miguel norbert pablo paul pedro quincy rob robert sandro shelby steph steph2 travis "
            "victor whisper whisperf zac f2 f3 f4 f5 Annie Andrea linda belinda").split()


def voiced(rng, voices, lines):
    return [(rng.choice(voices) + "+" + rng.choice(VARIANTS), line) for line in lines]


def jobs(out):
    en = texts.english()
    it, cs, es, de, zh = texts.italian(), texts.czech(), texts.spanish(), texts.german(), texts.mandarin()
    fi, pl = texts.finnish(), texts.polish()
    rng = random.Random(SEED)
    plan = {
        "flite-awb": lambda: flite("flite-awb", "awb", en[:1000]),
        "flite-kal": lambda: flite("flite-kal", "kal16", en[1000:1500]),
        "festival-ked": lambda: festival("festival-ked", "ked_diphone", "cmu", en[1500:2200]),
        "flite-awb-woman": lambda: flite("flite-awb-woman", "awb", en[4800:5500], woman=True),
        "festival-ked-woman": lambda: festival("festival-ked-woman", "ked_diphone", "cmu", en[2200:2900], woman=True),
        "ru-nsh": lambda: russian("ru-nsh"),
        "it-lp": lambda: festival("it-lp", "lp_diphone", "romance", it[:300]),
        "it-pc": lambda: festival("it-pc", "pc_diphone", "romance", it[300:550]),
        "ca-ona": lambda: festival("ca-ona", "upc_ca_ona_hts", "romance", es[:350]),
        "cs-dita": lambda: festival("cs-dita", "czech_dita", "czech", cs[:300], "iso8859-2"),
        "cs-krb": lambda: festival("cs-krb", "czech_krb", "czech", cs[300:500], "iso8859-2"),
        "cs-machac": lambda: festival("cs-machac", "czech_machac", "czech", cs[500:700], "iso8859-2"),
        "cs-ph": lambda: festival("cs-ph", "czech_ph", "czech", cs[700:900], "iso8859-2"),
        "fi-lj": lambda: festival("fi-lj", "suo_fi_lj_diphone", "finnish", fi[:200]),
        "fi-mv": lambda: festival("fi-mv", "hy_fi_mv_diphone", "finnish", fi[200:360]),
        "espeak-en": lambda: espeak("espeak-en", voiced(random.Random(1), EN_VOICES, en[3000:4800])),
        "espeak-zh": lambda: espeak("espeak-zh", voiced(random.Random(2), ["cmn-latn-pinyin"], zh[:1800])),
        "espeak-es": lambda: espeak("espeak-es", voiced(random.Random(3), ["es", "es-419"], es[1000:1180])),
        "espeak-de": lambda: espeak("espeak-de", voiced(random.Random(4), ["de"], de[:180])),
        "espeak-it": lambda: espeak("espeak-it", voiced(random.Random(5), ["it"], it[1000:1150])),
        "espeak-fr": lambda: espeak("espeak-fr", voiced(random.Random(6), ["fr"], es[1200:1330])),
        "espeak-pt": lambda: espeak("espeak-pt", voiced(random.Random(7), ["pt", "pt-br"], es[1400:1520])),
        "rhvoice-clb": lambda: rhvoice("rhvoice-clb", "Clb", "cmu", en[6000:7000], 0.01),
        "rhvoice-bdl": lambda: rhvoice("rhvoice-bdl", "Bdl", "cmu", en[7000:8000], 0.01),
        "rhvoice-alan": lambda: rhvoice("rhvoice-alan", "Alan", "cmu", en[8000:8500]),
        # a man at a woman's pitch, in throats shorter by 12 to 20 %
        "rhvoice-bdl-woman": lambda: rhvoice("rhvoice-bdl-woman", "Bdl", "cmu", en[8500:9000], 0.01, (7, 11),
                                             (-0.1, -0.06)),
        "rhvoice-magda": lambda: rhvoice("rhvoice-magda", "Magda", "polish", pl[:350]),
        "rhvoice-alicja": lambda: rhvoice("rhvoice-alicja", "Alicja", "polish", pl[350:700]),
        "rhvoice-natan": lambda: rhvoice("rhvoice-natan", "Natan", "polish", pl[700:900]),
        "rhvoice-michal": lambda: rhvoice("rhvoice-michal", "Michal", "polish", pl[900:1100]),
    }
    return plan


if __name__ == "__main__":
    out, only = sys.argv[1], sys.argv[2:]
    os.makedirs(out, exist_ok=True)
    for name, make in jobs(out).items():
        if (not only or name in only) and not os.path.exists(f"{out}/{name}.npz"):
            make().save(out)
