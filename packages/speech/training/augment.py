"""What a microphone, a room and another throat do to speech, done to log-mel frames [batch, frames, 40], on the device they are on."""

import numpy as np
import torch

import features

_MEL_LOW, _MEL_STEP = features.mel(features.LOW), (features.mel(features.HIGH) - features.mel(features.LOW)) / 41
FLOOR = features.FLOOR
SILENT = float(np.log(FLOOR))


class Chance:
    """Random numbers on a device, from a seed."""

    def __init__(self, seed, device="cpu"):
        self.device = torch.device(device)
        self.generator = torch.Generator(self.device).manual_seed(seed)
        constant = lambda values: torch.tensor(values, dtype=torch.float32, device=self.device)
        self.centres = constant(features.centres())
        # How many independent spectrum bins a band averages: how much its noise power trembles from frame to frame
        self.width = constant(np.maximum(1.0, features.filters().sum(1) * 0.66))
        self.band = torch.arange(40, device=self.device)[None, None]

    def share(self, *shape):
        return torch.rand(shape, generator=self.generator, device=self.device)

    def uniform(self, low, high, *shape):
        """low and high: numbers, or tensors of the shape"""
        return low + (high - low) * self.share(*shape)

    def below(self, low, high, *shape):
        """Whole numbers from low up to but not high."""
        return torch.minimum(self.uniform(low, high, *shape).floor().long(), torch.as_tensor(high - 1, device=self.device))

    def normal(self, *shape):
        return torch.randn(shape, generator=self.generator, device=self.device)

    def tremble(self, b, t):
        """Gamma-distributed power of mean 1, [b, t, 40]"""
        return torch._standard_gamma(self.width.expand(b, t, 40).contiguous(), generator=self.generator) / self.width

    def pick(self, shares, count):
        return torch.multinomial(shares, count, replacement=True, generator=self.generator)


def warp(x, factor, chance):
    """Vocal-tract length: move the spectrum by factor [batch, 1 or 40] along frequency."""
    hz = chance.centres[None] * factor
    at = ((2595.0 * torch.log10(1 + hz / 700.0)) - _MEL_LOW) / _MEL_STEP - 1
    at = at.clamp(0, 39 - 1e-4)
    low = at.floor().long()
    part = (at - low)[:, None]
    b, t, _ = x.shape
    take = lambda i: x.gather(2, i[:, None].expand(b, t, 40))
    return take(low) * (1 - part) + take(low + 1) * part


def coloured(chance, b, t):
    """Noise power [b, t, 40] of mean about 1: pink, white, brown, hum-like slopes and bumps, slow swells."""
    u, frame = chance.uniform, torch.arange(t, device=chance.device)[None, :, None]
    shape = -u(-1.2, 1.6, b, 1, 1) * torch.log(chance.centres / 800.0)[None, None]
    for _ in range(3):
        shape = shape + torch.sin(u(0.05, 0.35, b, 1, 1) * chance.band + u(0, 6.28, b, 1, 1)) * u(0, 0.8, b, 1, 1)
    swell = 0.6 * torch.sin(frame * u(0.005, 0.08, b, 1, 1) + u(0, 6.28, b, 1, 1))
    return torch.exp(shape + swell * (chance.share(b, 1, 1) < 0.3)) * chance.tremble(b, t)


def augment(x, chance, other, throat):
    """x, other: log-mel [batch, frames, 40] of utterances at about -26 dBFS; throat: [batch], > 1 is a longer
    vocal tract; returns log-mel."""
    b, t, _ = x.shape
    u, maybe = chance.uniform, lambda p: chance.share(b, 1, 1) < p
    band = chance.band / 39.0
    # a throat is not longer by the same share everywhere
    x = warp(x, throat[:, None] * (1 + u(-0.05, 0.05, b, 1) * (band[0] - 0.5)), chance)
    # recordings are pressed together (compressors, automatic gain), or stretched
    middle = x.mean(1, keepdim=True)
    x = middle + (x - middle) * torch.where(maybe(0.4), u(0.85, 1.1, b, 1, 1), 1.0)
    eq = u(-1, 1, b, 1, 1) * (band - 0.5) * 1.4
    for _ in range(2):
        eq = eq + u(0, 0.5, b, 1, 1) * torch.sin(band * u(2, 16, b, 1, 1) + u(0, 6.28, b, 1, 1))
    x = x + eq
    power = x.exp()
    level = power.mean((1, 2), keepdim=True)
    room(power, chance)
    # noise from 40 down to 0 dB on half, weighted to the quieter
    noise = coloured(chance, b, t)
    snr = 40 - 40 * chance.share(b, 1, 1) ** 1.3
    gain = level / noise.mean((1, 2), keepdim=True) * 10 ** (-snr / 10)
    power = power + noise * gain * torch.where(maybe(0.5), 1.0, 1e-3)
    # babble
    voice = other.exp()
    voice = 0.6 * voice + 0.4 * voice.roll(1, 0).roll(t // 3, 1)
    snr = u(6, 30, b, 1, 1)
    gain = level / (voice.mean((1, 2), keepdim=True) + 1e-9) * 10 ** (-snr / 10)
    power = power + voice * gain * maybe(0.12)
    # band limit of telephones and codecs
    above = (chance.band - u(18, 39, b, 1, 1)).clamp(0, 4) * -3.0
    below = (u(1, 6, b, 1, 1) - chance.band).clamp(0, 4) * -1.0
    power = power * torch.exp(above * maybe(0.15) + below * maybe(0.1))
    # -52 to -8 dBFS
    power = power * 10 ** (u(-26, 18, b, 1, 1) / 10)
    return torch.log(power + FLOOR)


def room(power, chance, share=0.33):
    """An exponential tail, 60–500 ms, on the power [batch, frames, 40] of some rows, in place."""
    rows = torch.nonzero(chance.share(len(power)) < share)[:, 0]
    if not len(rows):
        return
    tail, decay = chance.uniform(0.05, 0.6, len(rows), 1), chance.uniform(0.82, 0.965, len(rows), 1)
    frame = torch.arange(power.shape[1], device=power.device)
    kernel = torch.where(frame > 0, decay ** frame * (1 - decay) * tail, 1.0)
    # a product of what is positive: a transform would drown quiet frames in the rounding of loud ones
    heard = kernel[:, (frame[:, None] - frame).clamp(min=0)].tril()
    power[rows] = torch.bmm(heard, power[rows])


def gate(x, label, chance, share=0.15, start=0.15):
    """Pauses without words, in place, x [batch, frames, 40] and label [batch, frames]. Digital silence as noise gates
    and files' beginnings have it: without it every abrupt onset sounds like the burst of a p. In half of the longer
    ones a breath, which is no f. `start` of the rows begin with a pause, `share` have one somewhere."""
    kind = chance.share(len(x))
    rows = torch.nonzero(kind < share + start)[:, 0]
    if not len(rows):
        return
    b, t = len(rows), x.shape[1]
    at_start, own, frame = kind[rows] < start, x[rows], torch.arange(t, device=x.device)[None]
    begin = torch.where(at_start, 0, chance.below(20, t - 20, b))
    end = torch.where(at_start, chance.below(30, 130, b), begin + chance.below(6, 80, b)).clamp(max=t)
    loud = own.mean(2).quantile(0.9, 1)
    still = SILENT + chance.uniform(0, 3, b) * (chance.share(b) < 0.4)
    within = (frame >= begin[:, None]) & (frame < end[:, None])
    own = torch.where(within[:, :, None], still[:, None, None], own)
    breathes = (end - begin > 25) & (chance.share(b) < 0.5)
    first = chance.below(begin, torch.maximum(end - 20, begin + 1), b)
    last = chance.below(first + 15, torch.maximum(end + 1, first + 16), b)
    breathing = breathes[:, None] & (frame >= first[:, None]) & (frame < last[:, None])
    air = loud[:, None, None] + breath(chance, frame, first, last)
    x[rows] = torch.where(breathing[:, :, None], torch.logaddexp(own, air), own)
    label[rows] = torch.where(within, 0, label[rows])


def breath(chance, frame, first, last):
    """log-mel [batch, frames, 40] of air through an open mouth, 28 to 42 dB below loud syllables of 0."""
    b, t = len(first), frame.shape[1]
    through = ((frame - first[:, None] + 0.5) / (last - first)[:, None]).clamp(0, 1)
    swell = torch.sin(np.pi * through).clamp(min=0) ** chance.uniform(0.5, 2, b, 1)
    return torch.log(coloured(chance, b, t) * swell[:, :, None] + 1e-9) - chance.uniform(28, 42, b, 1, 1) * np.log(10) / 10


def lose(x, chance):
    """A few frames or bands of x [batch, 40, frames] are lost (SpecAugment, arXiv 1904.08779): their surroundings must do."""
    b, bands, t = x.shape
    frame, band = torch.arange(t, device=x.device)[None], torch.arange(bands, device=x.device)[None]
    kept = torch.ones_like(x, dtype=torch.bool)
    frames, spectrum = chance.share(b, 1) < 0.4, chance.share(b, 1) < 0.4
    for _ in range(2):
        at, length = chance.below(0, t - 10, b, 1), chance.below(2, 9, b, 1)
        kept &= ~(frames & (frame >= at) & (frame < at + length))[:, None]
    at, width = chance.below(0, bands - 2, b, 1), chance.below(1, 6, b, 1)
    kept &= ~(spectrum & (band >= at) & (band < at + width))[:, :, None]
    return x * kept
