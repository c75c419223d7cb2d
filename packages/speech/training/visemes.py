"""Phones of every voice used here, to the 15 Oculus visemes.

One phone gives a list of (viseme, share of the phone's length): diphthongs that move the mouth far
(ay, aw, oy) are split, all else is one viseme. Choices follow Meta's viseme reference: S and ZH are
CH, l is nn, w is U, j is I, rhotic vowels are RR, the schwa is E, h is kk (as in TalkingHead). RR is the rounded
approximant of English and Mandarin alone: a trill or tap of the tongue tip leaves the lips alone and is DD, a uvular
one is kk.
"""

NAMES = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U"]
INDEX = {name: i for i, name in enumerate(NAMES)}


def _table(text):
    out = {}
    for line in text.strip().splitlines():
        viseme, phones = line.split(":", 1)
        for phone in phones.split():
            out[phone] = viseme.strip()
    return out


# CMU radio phone set, as flite's, festival's and RHVoice's English voices (and the TextGrids, lower-cased) have it
CMU = _table("""
sil: pau h# sil brth
PP: p b m em
FF: f v
TH: th dh
DD: t d dx
kk: k g hh hv
CH: ch jh sh zh
SS: s z
nn: n l ng en el nx
RR: r er axr
aa: aa ae ah
E: eh ax ey
I: ih iy y ix
O: ao ow
U: uw uh w
""")
CMU_SPLIT = {"ay": ("aa", "I"), "aw": ("aa", "U"), "oy": ("O", "I")}

# festvox-ru: doubled vowels are stressed, doubled consonants are palatalised
RU = _table("""
sil: pau #
PP: p pp b bb m mm
FF: f ff v vv
DD: t tt d dd r rr
kk: k kk g gg h hh
CH: ch sh sch zh
SS: s ss z zz c
nn: n nn l ll
aa: a aa
E: e ee ae ay ur
I: i ii j y yy
O: o oo
U: u uu
""")
# aa is stressed, a stands before the stress, ae and ay are the reduced ones: schwas

# Italian (lp, pc), Catalan (ona), Czech (dita, krb, machac, ph), Finnish (lj, mv): after stress marks
# and length marks are taken off
ROMANCE = _table("""
sil: # pau _ sil
PP: p b m B
FF: f v nf M
TH: T D
DD: t d dd tt rtd r rr R
kk: k g x G h ng_ q
CH: tS dZ S Z tS_
SS: s z ts dz
nn: n l J L N ng nn jh_
aa: a
E: e E ax
I: i j y I
O: o O
U: u w U uw
""")
CZECH = _table("""
sil: # pau _ #_
PP: p b m
FF: f v m*
DD: t d t~ d~ t' d' r r*
kk: k g h x ch h* k*
CH: c~ s~ z~ dz~ c' r~ r~* tS S Z dZ
SS: s z c dz
nn: n l n~ n* n' ng
aa: a a:
E: e e:
I: i i: j y
O: o o:
U: u u: w
""")
FINNISH = _table("""
sil: # pau _
PP: p b m
FF: f v
DD: t d r
kk: k g h
CH: sh S
SS: s z
nn: n l N ng
aa: a ae @ { A
E: e
I: i j
O: o oe 2 Q 7
U: u y w
""")

# RHVoice's Polish: on and en are the nasal vowels, ih is y
POLISH = _table("""
sil: pau
PP: p b m
FF: f v
DD: t d r
kk: k g h
CH: ch dzh ci dzi sh zh si zi
SS: s z c dz
nn: n ni l
aa: a
E: e en
I: i y ih
O: o on
U: u w
""")

# IPA first letters, longest match first (espeak-ng; its Mandarin writes ʂ as "s." and ʈʂ as "ts.")
IPA = [
    ("sil", "_: _ | ;"),
    ("CH", "tɕ dʑ tʃ dʒ tʂ ts. dʐ dz. tS dZ ʃ ʒ ɕ ʑ ʂ s. ç S Z r̝̊ r̝"),
    ("SS", "ts dz s z"),
    ("PP", "p b m β"),
    ("FF", "f v ʋ pf ɸ"),
    ("TH", "θ ð"),
    ("DD", "t d ɾ r ʈ ɖ"),
    ("kk", "k ɡ g x χ ɣ h ɦ ʔ q ħ c ɟ ʀ ʁ"),
    ("RR", "ɹ ɻ ʐ z. ɝ ɚ ɜ˞ ʴ"),
    ("nn", "n l ŋ ɲ ʎ ɫ ɭ ɬ ɴ"),
    ("aa", "a ɑ æ ʌ ä"),
    ("E", "e ɛ ε ɐ ə ɤ ɘ ɜ œ̃ ᵻ_"),
    ("I", "i ɪ j ʝ ɨ ɿ ʅ ᵻ ɯ ʲ"),
    ("O", "o ɔ ɒ ø œ ɵ"),
    ("U", "u ʊ w ʍ y ʏ ɥ ʉ"),
]
_IPA_KEYS = sorted(((k, v) for v, ks in IPA for k in ks.split()), key=lambda kv: -len(kv[0]))
_IPA_VOWELS = {"aa", "E", "I", "O", "U"}
_IPA_SKIP = "̻ˈˌːˑ̩̯̃ʰʲ0123456789-ɜ̪̥͡*'\"!?#ʼ"


# espeak-ng's own spellings of Mandarin finals: e (as in ge), -i (as in si, shi), iu
_MANDARIN = {"o-": "ɤ", "i.": "i", "i̪": "i", "iou": "iu", "uei": "ui", "uən": "un", "ər": "əɻ"}


def ipa(phone):
    """espeak-ng phoneme name → visemes. Diphthongs and Mandarin finals come as one event."""
    if phone.endswith("ɜ") and len(phone) > 1:  # Mandarin's third-tone mark of espeak-ng's IPA
        phone = phone[:-1]
    if phone.startswith("("):  # espeak-ng says so where it changes the language
        return []
    out = []
    rest = _MANDARIN.get(phone, phone).lstrip("ˈˌ")
    rest = rest.replace("ong", "ung").replace("onɡ", "ung").replace("nɡ", "ŋ").replace("ng", "ŋ")
    if len(rest) > 1 and rest.endswith("h"):  # aspiration, as in Mandarin's tɕh and ph
        rest = rest[:-1]
    while rest:
        for key, viseme in _IPA_KEYS:
            if rest.startswith(key):
                rest = rest[len(key):]
                if not out or out[-1] != viseme:
                    out.append(viseme)
                break
        else:
            if rest[0] not in _IPA_SKIP and rest[0] not in "˞ː":
                return None
            if rest[0] == "˞" and out:
                out = ["RR"]
            rest = rest[1:]
    if not out:
        return []
    if len(out) == 1:
        return [(out[0], 1.0)]
    # affricate-like leftovers keep the fricative; vowels glide evenly
    if all(v not in _IPA_VOWELS and v not in ("nn", "RR") for v in out):
        return [(out[-1], 1.0)]
    # eɪ and oʊ barely move the mouth: one viseme, as for the CMU set
    if out == ["E", "I"]:
        return [("E", 1.0)]
    if out == ["O", "U"]:
        return [("O", 1.0)]
    return [(v, 1.0 / len(out)) for v in out]


def cmu(phone):
    phone = phone.lower().rstrip("012")
    if phone in ("", "sp", "spn"):
        return [("sil", 1.0)]
    if phone in CMU_SPLIT:
        a, b = CMU_SPLIT[phone]
        return [(a, 0.6), (b, 0.4)]
    return [(CMU[phone], 1.0)] if phone in CMU else None


def _plain(table, phone):
    for cut in (phone, phone.rstrip("0123456789"), phone.rstrip("0123456789:")):
        if cut in table:
            return [(table[cut], 1.0)]
    return None


def russian(phone):
    return _plain(RU, phone)


def romance(phone):
    return _plain(ROMANCE, phone)


def czech(phone):
    return _plain(CZECH, phone)


def finnish(phone):
    return _plain(FINNISH, phone)


def polish(phone):
    return _plain(POLISH, phone)


SETS = {"polish": polish, "cmu": cmu, "ru": russian, "romance": romance, "czech": czech, "finnish": finnish, "ipa": ipa}
