"""What a microphone, a room and another throat do to speech, done to log-mel frames [batch, frames, 40]."""

import numpy as np
import torch

import features

CENTRES = torch.tensor(features.centres(), dtype=torch.float32)
_MEL_LOW, _MEL_STEP = features.mel(features.LOW), (features.mel(features.HIGH) - features.mel(features.LOW)) / 41
# How many independent spectrum bins a band averages: how much its noise power trembles from frame to frame
_WIDTH = torch.tensor(np.maximum(1.0, features.filters().sum(1) * 0.66), dtype=torch.float32)
FLOOR = features.FLOOR


def warp(x, factor):
    """Vocal-tract length: move the spectrum by factor [batch] along frequency."""
    hz = CENTRES[None] * factor[:, None]
    at = ((2595.0 * torch.log10(1 + hz / 700.0)) - _MEL_LOW) / _MEL_STEP - 1
    at = at.clamp(0, 39 - 1e-4)
    low = at.floor().long()
    part = (at - low)[:, None]
    b, t, _ = x.shape
    take = lambda i: x.gather(2, i[:, None].expand(b, t, 40))
    return take(low) * (1 - part) + take(low + 1) * part


def coloured(rng, b, t):
    """Noise power [b, t, 40] of mean about 1: pink, white, brown, hum-like slopes and bumps, slow swells."""
    slope = rng.uniform(-1.2, 1.6, (b, 1, 1))
    shape = -slope * np.log(features.centres() / 800.0)[None, None]
    phase, rate = rng.uniform(0, 6.28, (b, 3, 1)), rng.uniform(0.05, 0.35, (b, 3, 1))
    bumps = (np.sin(rate * np.arange(40)[None, None] + phase) * rng.uniform(0, 0.8, (b, 3, 1))).sum(1, keepdims=True)
    swell = 0.6 * np.sin(np.arange(t)[None, :, None] * rng.uniform(0.005, 0.08, (b, 1, 1)) + rng.uniform(0, 6.28, (b, 1, 1)))
    k = _WIDTH.numpy()
    tremble = rng.standard_gamma(k, (b, t, 40)) / k
    power = np.exp(shape + bumps + swell * (rng.random((b, 1, 1)) < 0.3)) * tremble
    return torch.tensor(power, dtype=torch.float32)


def augment(x, rng, other, throat):
    """x, other: log-mel [batch, frames, 40] of utterances at about -26 dBFS; throat: [batch], > 1 is a longer
    vocal tract; returns log-mel."""
    b, t, _ = x.shape
    u = lambda a, c, *shape: torch.tensor(rng.uniform(a, c, shape), dtype=torch.float32)
    maybe = lambda p: torch.tensor(rng.random((b, 1, 1)) < p)
    x = warp(x, throat)
    band = torch.arange(40)[None, None] / 39.0
    eq = u(-1, 1, b, 1, 1) * (band - 0.5) * 1.4
    for _ in range(2):
        eq = eq + u(0, 0.5, b, 1, 1) * torch.sin(band * u(2, 16, b, 1, 1) + u(0, 6.28, b, 1, 1))
    x = x + eq
    power = x.exp()
    level = power.mean((1, 2), keepdim=True)
    # room: an exponential tail on the power, 60–500 ms
    tail = torch.where(maybe(0.3), u(0.05, 0.6, b, 1, 1), torch.zeros(b, 1, 1))
    if tail.max() > 0:
        decay = u(0.82, 0.965, b, 1, 1)
        lag = torch.arange(40, dtype=torch.float32)[None, None]
        kernel = decay ** lag
        kernel = kernel * (lag >= 1) * (1 - decay) * tail
        kernel[:, :, 0] = 1.0
        flat = torch.nn.functional.pad(power.transpose(1, 2), (39, 0)).reshape(1, b * 40, t + 39)
        weight = kernel.flip(2).expand(b, 40, 40).reshape(b * 40, 1, 40)
        power = torch.nn.functional.conv1d(flat, weight, groups=b * 40).reshape(b, 40, t).transpose(1, 2)
    # noise from 40 down to 0 dB on half, weighted to the quieter
    noise = coloured(rng, b, t)
    snr = torch.tensor(40 - 40 * rng.random((b, 1, 1)) ** 1.3, dtype=torch.float32)
    gain = level / noise.mean((1, 2), keepdim=True) * 10 ** (-snr / 10)
    power = power + torch.where(maybe(0.5), noise * gain, noise * gain * 1e-3)
    # babble
    voice = other.exp()
    voice = 0.6 * voice + 0.4 * voice.roll(1, 0).roll(t // 3, 1)
    snr = u(6, 30, b, 1, 1)
    gain = level / (voice.mean((1, 2), keepdim=True) + 1e-9) * 10 ** (-snr / 10)
    power = power + torch.where(maybe(0.12), voice * gain, torch.zeros_like(voice))
    # band limit of telephones and codecs
    cut = u(18, 39, b, 1, 1)
    above = (torch.arange(40)[None, None] - cut).clamp(0, 4) * -3.0
    power = power * torch.where(maybe(0.12), above, torch.zeros_like(above)).exp()
    # -52 to -8 dBFS
    power = power * 10 ** (u(-26, 18, b, 1, 1) / 10)
    return torch.log(power + FLOOR)


def gate(x, label, rng, share=0.15, start=0.15):
    """Pauses without words, in place, x [batch, frames, 40] and label [batch, frames]. Digital silence as noise gates
    and files' beginnings have it: without it every abrupt onset sounds like the burst of a p. In half of the longer
    ones a breath, which is no f. `start` of the rows begin with a pause, `share` have one somewhere."""
    silent = np.log(FLOOR)
    for row, kind in enumerate(rng.random(len(x))):
        if kind >= share + start:
            continue
        begin = 0 if kind < start else rng.integers(20, x.shape[1] - 20)
        end = min(x.shape[1], rng.integers(30, 130) if kind < start else begin + rng.integers(6, 80))
        loud = np.percentile(x[row].mean(1), 90)
        x[row, begin:end] = silent + (rng.uniform(0, 3) if rng.random() < 0.4 else 0.0)
        label[row, begin:end] = 0
        if end - begin > 25 and rng.random() < 0.5:
            first = rng.integers(begin, end - 20)
            last = rng.integers(first + 15, end + 1)
            x[row, first:last] = np.logaddexp(x[row, first:last], loud + breath(rng, last - first))


def breath(rng, frames):
    """log-mel [frames, 40] of air through an open mouth, 28 to 42 dB below loud syllables of 0."""
    swell = np.sin(np.pi * (np.arange(frames) + 0.5) / frames) ** rng.uniform(0.5, 2)
    noise = coloured(rng, 1, frames)[0].numpy() * swell[:, None]
    return np.log(noise + 1e-9) - rng.uniform(28, 42) * np.log(10) / 10


def speed(x, label, rng, t, low=0.8, high=1.22):
    """Resample [n, 40] frames and labels to t frames at a drawn speed; n must reach t · high."""
    factor = rng.uniform(low, high)
    at = np.arange(t) * factor
    i = np.minimum(at.astype(int), len(x) - 2)
    part = (at - i)[:, None].astype(np.float32)
    return x[i] * (1 - part) + x[i + 1] * part, label[np.minimum(np.round(at).astype(int), len(label) - 1)]
