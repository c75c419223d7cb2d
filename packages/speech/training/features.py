"""Log-mel power as the engine computes it (packages/speech/src/mel.ts must agree to rounding).

16 kHz mono, frame i is centred on sample 160·i: Hann window of 400 samples (periodic) from 160·i − 200,
FFT 512, power, 40 triangular HTK-mel filters 60–7600 Hz of unit peak, natural log of (power + 1e-7).
"""

import numpy as np

RATE, HOP, WINDOW, FFT, BANDS, LOW, HIGH = 16000, 160, 400, 512, 40, 60.0, 7600.0
FLOOR = 1e-7


def mel(hz):
    return 2595.0 * np.log10(1.0 + hz / 700.0)


def hertz(m):
    return 700.0 * (10.0 ** (m / 2595.0) - 1.0)


def centres():
    """Band centres, Hz, shape [BANDS]."""
    return hertz(np.linspace(mel(LOW), mel(HIGH), BANDS + 2))[1:-1]


def filters():
    """[BANDS, FFT/2 + 1]"""
    edges = hertz(np.linspace(mel(LOW), mel(HIGH), BANDS + 2))
    f = np.arange(FFT // 2 + 1) * RATE / FFT
    rise = (f[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - f[None]) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0.0, np.minimum(rise, fall))


_HANN = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
_FILTERS = filters()


def log_mel(sound):
    """sound: float [-1, 1] at 16 kHz, shape [n] → [ceil(n / 160), 40] float32"""
    count = (len(sound) + HOP - 1) // HOP
    padded = np.concatenate([np.zeros(WINDOW // 2), sound, np.zeros(WINDOW + HOP)]).astype(np.float32)
    frames = np.lib.stride_tricks.as_strided(padded, (count, WINDOW), (padded.strides[0] * HOP, padded.strides[0]))
    power = np.abs(np.fft.rfft(frames * _HANN, FFT)) ** 2
    return np.log(power @ _FILTERS.T + FLOOR).astype(np.float32)
