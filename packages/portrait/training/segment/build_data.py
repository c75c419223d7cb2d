"""
Cuts a window about each head crop, with labels: build_data.py SOURCE FACES.jsonl OUT.npz

SOURCE has photos/, masks/hair, masks/person and flags.json; FACES.jsonl is written by find_faces.ts. A window is the
head crop with a margin, so that training can shift, turn and shrink it. All channels are bytes.
"""
import json
import os
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

MARGIN_X, MARGIN_Y = 48, 44


def to_lab(rgb):
    c = rgb.astype('f4') / 255
    c = np.where(c > 0.04045, ((c + 0.055) / 1.055) ** 2.4, c / 12.92)
    matrix = np.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]], 'f4')
    xyz = c @ matrix / np.array([0.9505, 1, 1.089], 'f4')
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def connected(mask, seed):
    """Pixels of the mask that are connected with the seed."""
    reached = mask & seed
    while True:
        grown = reached.copy()
        for _ in range(12):
            n = grown.copy()
            n[1:] |= grown[:-1]
            n[:-1] |= grown[1:]
            n[:, 1:] |= grown[:, :-1]
            n[:, :-1] |= grown[:, 1:]
            grown = n & mask
        if (grown == reached).all():
            return reached
        reached = grown


def unlike_skin(rgb, hair, face, a, b):
    """How far each colour is from the face's, in deviations; None where too little of the face is bare."""
    lab = to_lab(rgb)
    cheeks = (b > 0.34) & (b < 0.52) & (abs(a) < 0.7)
    forehead = (b > 0.76) & (b < 0.9) & (abs(a) < 0.4)
    sample = (face > 0.5) & (hair < 0.2) & (cheeks | forehead)
    if sample.sum() < 50:
        return None
    middle = np.median(lab[sample], 0)
    spread = np.maximum([9, 2.2, 2.6], 1.48 * np.median(abs(lab[sample] - middle), 0))
    d = (lab - middle) / spread
    level = np.where(d[..., 0] < 0, d[..., 0] * 0.5, d[..., 0] * 0.4)
    return np.sqrt(level**2 + d[..., 1] ** 2 + d[..., 2] ** 2)


def skin_labels(distance, hair, person, face):
    """1 skin, 0 not, 255 unknown: the face by its landmarks; neck and ears by its tint, connected with it."""
    if distance is None:
        return np.full(face.shape, 255, 'u1')
    own = (person > 0.5) & (hair < 0.5)
    inner = (face > 0.5) & (hair < 0.5)
    sure = connected((own & (distance < 3)) | inner, inner)
    maybe = own & (distance < 5.5) & ~sure
    labels = np.where(sure, 1, np.where(maybe, 255, 0)).astype('u1')
    edge = ((hair > 0.3) & (hair < 0.7)) | ((person > 0.3) & (person < 0.7))
    labels[edge & (labels == 1)] = 255
    return labels


def known_hair(hair, face, distance, a, b):
    """
    0 where the teacher often errs: rims about bare scalps, as thin as no hair is on heads with more; shaded cheeks, jaws and
    necks as hair.
    """
    known = np.ones(hair.shape, 'u1')
    if distance is not None:
        known[(hair > 0.3) & (b < 0.55) & (abs(a) < 1) & (distance < 2.5)] = 0
    yes = Image.fromarray((255 * (hair > 0.3)).astype('u1'))
    thick = np.asarray(yes.filter(ImageFilter.MinFilter(7)).filter(ImageFilter.MaxFilter(9))) > 0
    if (thick & (hair > 0.5)).sum() < 0.45 * (face > 0.5).sum():
        thin = Image.fromarray((255 * ((hair > 0.3) & ~thick)).astype('u1'))
        known[np.asarray(thin.filter(ImageFilter.MaxFilter(3))) > 0] = 0
    return known


def window(source, face, hairless, is_right):
    """
    The channels of one photo, and where the face lies in its window: axis, half width, chin, forehead. is_right: somebody
    looked at the hair mask and found it right, so that all of it counts.
    """
    photo = Image.open(f'{source}/photos/{face["name"]}.jpg').convert('RGB')
    mask = lambda kind: Image.open(f'{source}/masks/{kind}/{face["name"]}.png').convert('L')
    crop = face['crop']
    m = crop['map']
    w, h = crop['width'] + 2 * MARGIN_X, crop['height'] + 2 * MARGIN_Y
    # Window pixels → photo pixels.
    tx = m['tx'] - m['a'] * MARGIN_X + m['b'] * MARGIN_Y
    ty = m['ty'] - m['b'] * MARGIN_X - m['a'] * MARGIN_Y
    wide, high = face['photo']['width'], face['photo']['height']

    def sample(image, taps):
        # Several samples a pixel where the photo is larger than the window; the photo's border repeats.
        kx, ky = image.size[0] / wide, image.size[1] / high
        pixels = np.asarray(image, 'f4').reshape(image.size[1], image.size[0], -1)
        total = 0
        for sy in range(taps):
            for sx in range(taps):
                y, x = np.mgrid[0:h, 0:w].astype('f4')
                x, y = x + (sx + 0.5) / taps, y + (sy + 0.5) / taps
                u = np.clip((m['a'] * x - m['b'] * y + tx) * kx - 0.5, 0, image.size[0] - 1.001)
                v = np.clip((m['b'] * x + m['a'] * y + ty) * ky - 0.5, 0, image.size[1] - 1.001)
                iu, iv = u.astype(int), v.astype(int)
                fu, fv = (u - iu)[..., None], (v - iv)[..., None]
                top = pixels[iv, iu] * (1 - fu) + pixels[iv, iu + 1] * fu
                total = total + top * (1 - fv) + (pixels[iv + 1, iu] * (1 - fu) + pixels[iv + 1, iu + 1] * fu) * fv
        return total / taps**2

    scale = float(np.hypot(m['a'], m['b']))
    rgb = sample(photo, max(1, min(4, round(scale))))
    hair = sample(mask('hair'), 1)[..., 0] / 255 * (0 if hairless else 1)
    person = sample(mask('person'), 1)[..., 0] / 255
    y, x = np.mgrid[0:h, 0:w] + 0.5
    u, v = m['a'] * x - m['b'] * y + tx, m['b'] * x + m['a'] * y + ty
    inside = (u > 0) & (v > 0) & (u < wide) & (v < high)
    square = scale**2
    points = [
        (4 * (m['a'] * (px - tx) + m['b'] * (py - ty)) / square, 4 * (-m['b'] * (px - tx) + m['a'] * (py - ty)) / square)
        for px, py in face['outline']
    ]
    oval = Image.new('L', (4 * w, 4 * h))
    ImageDraw.Draw(oval).polygon(points, fill=255)
    oval = np.asarray(oval.resize((w, h), Image.BOX), 'f4') / 255
    place = (crop['axis'] + MARGIN_X, crop['halfFace'], crop['chin'] + MARGIN_Y, crop['forehead'] + MARGIN_Y)
    a = (x - place[0]) / place[1]
    b = (place[2] - y) / (place[2] - place[3])
    distance = unlike_skin(rgb.clip(0, 255).round().astype('u1'), hair, oval, a, b)
    skin = skin_labels(distance, hair, person, oval)
    as_bytes = lambda values: (values * 255).clip(0, 255).round().astype('u1')
    channels = [
        *rgb.transpose(2, 0, 1).clip(0, 255).round().astype('u1'),
        as_bytes(oval),
        as_bytes(hair),
        as_bytes(person),
        as_bytes(skin == 1),
        as_bytes(skin != 255),
        as_bytes(inside),
        as_bytes(np.ones(oval.shape) if is_right else known_hair(hair, oval, distance, a, b)),
    ]
    return np.stack(channels), place


if __name__ == '__main__':
    source, faces, out = sys.argv[1:4]
    flags = json.load(open(f'{source}/flags.json'))
    own = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'labels.json')))
    bald = set(flags['bald']) | set(own['bald'])
    names, channels, places = [], [], []
    for line in open(faces):
        face = json.loads(line)
        c, place = window(source, face, face['name'] in bald, face['name'] in own['hair'])
        names.append(face['name'])
        channels.append(c)
        places.append(place)
    unknown = (set(flags['stubble']) | set(flags['drop']) | set(own['unknown'])) - bald - set(own['hair'])
    np.savez(
        out,
        names=np.array(names),
        channels=np.stack(channels),
        places=np.array(places, 'f4'),
        bald=np.array([n in bald for n in names]),
        unknown=np.array([n in unknown for n in names]),
    )
    print(len(names), 'windows,', sum(n in bald for n in names), 'bald,', sum(n in unknown for n in names), 'of unknown hair')
