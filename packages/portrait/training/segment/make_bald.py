"""
Adds bald heads made of others: make_bald.py WINDOWS.npz OUT.npz [SHEET.png]

Paints skin over short hair up to an outline of a skull, in the forehead's tones, darker towards the outline, with its
grain, sometimes gloss or the shadow of stubble. Hair beyond the outline gives way to the background around it. Every
other head keeps a wreath of hair at its sides.
"""
import sys

import numpy as np


def blur(values, radius):
    """Three box blurs along both axes of the last two dimensions."""
    for axis in (-2, -1):
        for _ in range(3):
            pad = [(0, 0)] * values.ndim
            pad[axis] = (radius + 1, radius)
            sums = np.cumsum(np.pad(values, pad, 'edge'), axis, dtype='f8')
            n = sums.shape[axis]
            last = np.take(sums, range(2 * radius + 1, n), axis)
            values = (last - np.take(sums, range(0, n - 2 * radius - 1), axis)) / (2 * radius + 1)
    return values


def led_on(rgb, weight):
    """Colours where they are known, and their smooth continuation elsewhere."""
    field = np.zeros_like(rgb)
    known = np.zeros_like(weight)
    for radius in (3, 8, 20, 60):
        w = blur(weight, radius)
        near = blur(rgb * weight, radius) / (w + 1e-6)
        share = (1 - known) * np.clip(w * 8, 0, 1)
        field += near * share
        known = known + share
    return field + (1 - known) * near


def shaved(channels, place, rng, keeps_wreath):
    """One window without hair, or with hair at its sides alone, or None where its hair hangs or covers the forehead."""
    c = channels.astype('f4')
    rgb, oval, hair, person, skin = c[:3], c[3] / 255, c[4] / 255, c[5] / 255, c[6] / 255
    axis, half, chin, forehead = place
    h, w = oval.shape
    y, x = np.mgrid[0:h, 0:w] + 0.5
    a, b = (x - axis) / half, (chin - y) / (chin - forehead)
    total = hair.sum()
    if total < 300 or (hair * (b < 0.3)).sum() > 0.06 * total or (hair * (oval > 0.5) * (b < 0.8)).sum() > 0.06 * total:
        return None
    wide, top = rng.uniform(1.0, 1.1), rng.uniform(1.24, 1.36)
    power = rng.uniform(2.1, 2.8)
    radius = ((abs(a) / wide) ** power + (np.clip(b - 0.6, 0, None) / (top - 0.6)) ** power) ** (1 / power)
    skull = np.clip((1 - radius) * half / 2 + 0.5, 0, 1) * (b > 0.3)
    source = (skin > 0.5) * (hair < 0.05) * (b > 0.62) * (oval > 0.5)
    if source.sum() < 150:
        return None
    tone = led_on(rgb, source.astype('f4'))
    detail = rgb - blur(rgb, 2)
    # The grain of the forehead's upper part, mirrored again and again.
    band = 0.14 * (chin - forehead)
    rows = np.clip((forehead + 4 + abs((y - forehead) % (2 * band) - band)).astype(int), 0, h - 1)
    inner = np.clip((axis + np.clip(a, -0.55, 0.55) * half).astype(int), 0, w - 1)
    grain = detail[:, rows, inner] * (b > 1) * rng.uniform(0.4, 1)
    limb = 1 - rng.uniform(0.1, 0.5) * np.clip(radius, 0, 1) ** rng.uniform(3, 7) * (b > 0.6)
    painted = tone * limb + grain + rng.normal(0, rng.uniform(0.5, 2.5), tone.shape)
    if rng.random() < 0.6:
        gx, gy, size = rng.uniform(-0.5, 0.5), rng.uniform(0.95, 1.2), rng.uniform(0.12, 0.35)
        spot = np.exp(-(((a - gx) / size) ** 2 + ((b - gy) / (0.6 * size)) ** 2))
        painted += spot * rng.uniform(0.1, 0.5) * (255 - painted)
    if rng.random() < 0.4:
        stubble = blur(np.clip(hair, 0, 1), 3) * (1 + 0.25 * rng.normal(size=hair.shape))
        painted = painted * (1 - rng.uniform(0.05, 0.22) * np.clip(stubble, 0, 1.3))
    was_hair = np.clip(blur((hair > 0.12).astype('f4'), 2) * 1.6, 0, 1)
    kept = np.zeros_like(hair)
    if keeps_wreath:
        # What grows beside the forehead, up to a line that rises outwards.
        line = rng.uniform(0.95, 1.15) + rng.uniform(0, 0.3) * (abs(a) - 1)
        kept = np.clip((line - b) * (chin - forehead) / 4, 0, 1) * np.clip((abs(a) - rng.uniform(0.55, 0.8)) * half / 3, 0, 1)
    was_hair = was_hair * (1 - kept)
    behind = led_on(rgb, ((person < 0.1) & (hair < 0.05)).astype('f4'))
    rgb = rgb + (behind + rng.normal(0, 2, behind.shape) - rgb) * was_hair * (1 - skull)
    cover = np.maximum(was_hair, 0) * skull
    missing = skull * (person < 0.5) * (b > 0.75)
    cover = np.maximum(cover, missing)
    rgb = rgb + (painted - rgb) * cover
    c[:3] = rgb
    c[5] = 255 * np.maximum(person * (1 - was_hair * (1 - skull)), skull * (b > 0.75))
    c[6] = np.maximum(255 * (cover > 0.5), c[6])
    c[7] = np.maximum(255 * (cover > 0.5), c[7])
    c[4] = 255 * hair * kept
    c[6] = c[6] * (1 - kept * (hair > 0.5))
    c[9] = 255
    return c.clip(0, 255).round().astype('u1')


if __name__ == '__main__':
    windows = dict(np.load(sys.argv[1]))
    rng = np.random.default_rng(7)
    usable = np.flatnonzero(~windows['bald'] & ~windows['unknown'])
    made = {k: [] for k in ('names', 'channels', 'places')}
    for i in usable:
        wreath = i % 2 == 0
        c = shaved(windows['channels'][i], windows['places'][i], rng, wreath)
        if c is None:
            continue
        made['names'].append(windows['names'][i] + ('+wreath' if wreath else '+bald'))
        made['channels'].append(c)
        made['places'].append(windows['places'][i])
    n = len(made['names'])
    for k, values in made.items():
        windows[k] = np.concatenate([windows[k], np.stack(values)])
    windows['bald'] = np.concatenate([windows['bald'], [x.endswith('+bald') for x in made['names']]])
    windows['unknown'] = np.concatenate([windows['unknown'], np.zeros(n, bool)])
    np.savez(sys.argv[2], **windows)
    print(n, 'bald heads made, some with a wreath of hair')
    if len(sys.argv) > 3:
        from PIL import Image

        shown = [c[:3].transpose(1, 2, 0)[20:260, 30:258] for c in made['channels'][:: max(1, n // 40)][:40]]
        rows = [np.concatenate(shown[k : k + 10], 1) for k in range(0, len(shown) - 9, 10)]
        Image.fromarray(np.concatenate(rows, 0)).save(sys.argv[3])
