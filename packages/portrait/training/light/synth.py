"""Synthetic photos in the layout of the face: drawn skins in drawn light, as a camera develops them; 64 x 64 cells."""
import glob

import numpy as np
import torch
import torch.nn.functional as F

from faces import DIRECTIONS, sphere
from network import N, X, Y, inputs

SIDE, HEIGHT = X.abs() * 32, (Y + 1) * 32  # cells from the middle line, and from the top
BROAD = torch.tensor([0.25, 0.5, 0.25])


def column(values):
    """One number a picture, to multiply fields with."""
    return torch.from_numpy(np.asarray(values, np.float32)).view(len(values), -1, 1, 1)


def noise(count, channels, deviation, cells):
    coarse = torch.randn(count, channels, cells, cells) * deviation
    return F.interpolate(coarse, size=(N, N), mode="bicubic", align_corners=False)


def blur(x, rounds):
    channels = x.shape[1]
    for _ in range(rounds):
        across = BROAD.view(1, 1, 1, 3).repeat(channels, 1, 1, 1)
        x = F.conv2d(F.pad(x, (1, 1, 0, 0), mode="replicate"), across, groups=channels)
        x = F.conv2d(F.pad(x, (0, 0, 1, 1), mode="replicate"), across.transpose(2, 3), groups=channels)
    return x


class Synth:
    def __init__(self, faces, places, seed=0, part=None):
        self.random = np.random.default_rng(seed)
        torch.manual_seed(seed)
        data = np.load(faces)
        keep = np.arange(len(data["names"]))
        if part is not None:  # every fifth face is kept for validation
            keep = keep[(keep % 5 == 0) == (part == "validation")]
        self.skins, self.masks, self.tones = data["skins"][keep], data["masks"][keep], data["tones"][keep]
        self.normals = torch.from_numpy(data["normals"][keep])
        self.reaches = data["reaches"][keep]
        self.directions = sphere(DIRECTIONS)
        # The half of the skins whose sides are most alike: their own light is gone.
        uneven = (np.abs(self.skins - self.skins[:, :, :, ::-1]).mean(1) * self.masks).sum((1, 2)) / self.masks.sum((1, 2))
        self.usable = np.flatnonzero(uneven < np.percentile(uneven, 75))
        bright = self.tones.mean(1)
        self.dark_first = 1 + 3 * np.clip((-1.25 - bright) / 0.6, 0, 1)
        self.dark_first /= self.dark_first.sum()
        self.warmth = np.polyfit(bright, self.tones[:, 0] - self.tones[:, 2], 1)
        self.places = [np.fromfile(path, np.float32).reshape(256, 512, 3) for path in sorted(glob.glob(places + "/*.f32"))]
        self.pool = np.stack([self.turned_place() for _ in range(160)])

    def turned_place(self):
        """A light map turned at random, by direction."""
        r = self.random
        place = np.maximum(self.places[r.integers(len(self.places))], 0)[::2, ::2]
        place = np.minimum(place, np.percentile(place, 99.95) * r.uniform(1, 6))
        height, width = place.shape[:2]
        down, round_ = (np.arange(height) + 0.5) / height * np.pi, (np.arange(width) + 0.5) / width * 2 * np.pi
        turn, lean = r.uniform(0, 2 * np.pi), r.normal(0, 0.25)
        sky = np.stack(
            [np.sin(down)[:, None] * np.sin(round_ + turn), np.cos(down)[:, None] + 0 * round_, np.sin(down)[:, None] * np.cos(round_ + turn)], -1
        ).reshape(-1, 3)
        sky[:, 1], sky[:, 2] = sky[:, 1] * np.cos(lean) - sky[:, 2] * np.sin(lean), sky[:, 1] * np.sin(lean) + sky[:, 2] * np.cos(lean)
        bins = np.argmax(sky @ self.directions.T, 1)
        area = np.repeat(np.sin(down), width)
        total = np.bincount(bins, area, DIRECTIONS)
        light = np.stack([np.bincount(bins, area * place.reshape(-1, 3)[:, c], DIRECTIONS) for c in range(3)], 1)
        return light / np.maximum(total, 1e-3)[:, None]

    def colour(self):
        warm = self.random.uniform(-1, 1)
        return np.exp([0.35 * warm, self.random.normal(0, 0.06), -0.5 * warm])

    def lamp(self, width):
        towards = self.random.normal(size=3)
        towards[2] = abs(towards[2]) * self.random.choice([1, 1, 1, -0.3])
        towards[1] += self.random.uniform(-0.1, 0.7)
        lobe = np.exp((self.directions @ (towards / np.linalg.norm(towards)) - 1) / width)
        return (lobe / lobe.mean())[:, None]

    def light(self):
        """Radiance by direction, whose mean is 1."""
        r, kind = self.random, self.random.random()
        wide = lambda low, high: np.exp(r.uniform(np.log(low), np.log(high)))
        if kind < 0.12:  # a studio's even, white light
            light = np.ones((DIRECTIONS, 3)) + r.uniform(0, 0.5) * self.lamp(0.6)
        elif kind < 0.42:
            light = self.pool[r.integers(len(self.pool))] ** r.uniform(0.75, 1.1)
            grey = light.mean(1, keepdims=True)
            light = np.maximum(0, grey + (light * np.exp(r.normal(0, 0.12, 3)) - grey) * r.uniform(0.4, 1.2))
        elif kind < 0.65:
            light = self.colour() * r.uniform(0.1, 1) + sum(
                self.lamp(wide(0.03, 0.6)) * self.colour() * np.exp(r.normal(0, 0.8)) for _ in range(r.integers(2, 6))
            )
        elif kind < 0.87:  # a hard lamp and a weak sky
            light = self.lamp(wide(0.004, 0.03)) * self.colour() + self.colour() * wide(0.04, 1)
        else:  # sky above, ground below
            up = self.directions @ (r.normal(size=3) + [0, 0.8, 0.5])
            share = 1 / (1 + np.exp(-up * r.uniform(0.8, 4)))[:, None]
            light = share * self.colour() + (1 - share) * self.colour() * np.exp(r.uniform(-2.5, 0))
        return (light / light.mean()).astype(np.float32)

    def paint(self, count):
        """ln of what grows and is painted on skin: beards, lips, blush, freckles; alike on both sides."""
        r, out = self.random, torch.zeros(count, 3, N, N)
        lip = torch.sigmoid((1 - ((SIDE / 8) ** 2 + ((HEIGHT - 44.4) / 2.6) ** 2)) * 5)
        for b in range(count):
            if r.random() < 0.3:
                wave = noise(1, 1, 1, 8)[0, 0]
                top = r.uniform(38, 48) - r.uniform(0.2, 0.9) * (SIDE - 6).clamp(0, 16) + (wave + wave.flip(1)) / 2 * r.uniform(0.5, 2.5)
                beard = torch.sigmoid((HEIGHT - top) / r.uniform(0.5, 2.5))
                if r.random() < 0.7:
                    beard = torch.maximum(beard, torch.sigmoid(9 - SIDE) * torch.sigmoid((HEIGHT - 38.2) / 0.8) * torch.sigmoid((42.6 - HEIGHT) / 0.8))
                dark = r.uniform(0.1, 1.8) if r.random() < 0.8 else -r.uniform(0.1, 0.5)
                out[b] = (-dark * beard * (1 - lip) * (1 + 0.25 * noise(1, 1, 1, 24)[0, 0])) * torch.tensor([1, 0.92, 0.82]).view(3, 1, 1)
            if r.random() < 0.3:
                shade = np.array([-0.45 * r.random(), -1, -0.8 + r.normal(0, 0.15)]) * r.uniform(0.1, 1.1)
                out[b] = out[b] * (1 - lip) + lip * torch.tensor(shade, dtype=torch.float32).view(3, 1, 1)
            if r.random() < 0.3:
                blush = torch.exp(-((SIDE - r.uniform(14, 19)) ** 2 + (HEIGHT - r.uniform(33, 39)) ** 2) / r.uniform(20, 70))
                out[b] += blush * r.uniform(0.05, 0.35) * torch.tensor([0.1, -1, -0.7]).view(3, 1, 1)
            if r.random() < 0.2:
                spots = (noise(1, 1, 1, 40)[0, 0] - r.uniform(0.8, 1.8)).clamp(0, 1)
                out[b] -= spots * r.uniform(0.1, 0.6) * torch.tensor([0.5, 0.9, 1]).view(3, 1, 1)
        return out

    def tone(self, count):
        """ln of skins' mean colours: people's, and drawn ones, so that no tone tells of the light."""
        r = self.random
        bright = np.where(
            r.random(count) < 0.6, self.tones[r.choice(len(self.tones), count, p=self.dark_first)].mean(1), r.uniform(-3.2, -0.7, count)
        )
        warmth = np.polyval(self.warmth, bright) + r.normal(0, 0.13, count)
        green = -0.12 + r.normal(0, 0.04, count)
        return np.stack([bright + (warmth - green) / 2, bright + green, bright - (warmth + green) / 2], 1)

    def shadows(self, count):
        """Shade on the forehead of hair or a hat, and of a hand or wall at a side: factors."""
        r, out = self.random, torch.ones(count, 1, N, N)
        for b in range(count):
            if r.random() < 0.25:
                edge = r.uniform(8, 24) + 2 * noise(1, 1, 1, r.integers(3, 12))[0, 0]
                out[b, 0] *= 1 - r.uniform(0.1, 0.7) * torch.sigmoid((edge - HEIGHT) / r.uniform(0.3, 3))
            if r.random() < 0.12:
                a = r.uniform(0, 2 * np.pi)
                edge = X * np.cos(a) + Y * np.sin(a) - r.uniform(0.2, 0.8) + 0.1 * noise(1, 1, 1, 5)[0, 0]
                out[b, 0] *= 1 - r.uniform(0.2, 0.8) * torch.sigmoid(edge * r.uniform(8, 60))
        return out

    def batch(self, faces=3, each=8):
        parts = [self.of_one_face(each) for _ in range(faces)]
        return [torch.cat(part) for part in zip(*parts)]

    def of_one_face(self, count):
        """Inputs, ln of the photo, ln of the skin, weights."""
        r = self.random
        face = r.integers(len(self.reaches))
        reach = torch.from_numpy(self.reaches[face].astype(np.float32))
        normal = self.normals[face]
        on = (reach.sum(0) > 0).float().view(1, 1, N, N)
        light = torch.from_numpy(np.stack([self.light() for _ in range(count)]))
        lit = torch.einsum("bkc,kp->bcp", light, reach).view(count, 3, N, N) * self.shadows(count)
        white = reach.sum(0).view(1, 1, N, N)

        skin = self.usable[r.integers(len(self.usable), size=count)]
        flip = r.random(count) < 0.5
        pick = lambda values: torch.from_numpy(np.stack([v[..., ::-1] if f else v for v, f in zip(values[skin], flip)]))
        seen, own = pick(self.masks)[:, None], pick(self.skins)
        weight, low = blur(F.avg_pool2d(seen, 4), 5), blur(F.avg_pool2d(own * seen, 4), 5)
        low = F.interpolate(low / weight.clamp(min=0.02), size=(N, N), mode="bilinear", align_corners=False)
        own = (own - low) * column(r.uniform(0.3, 1.15, count)) + low * column(r.uniform(0.3, 1.1, count))
        own = own + noise(count, 3, 0.02, 8) + noise(count, 1, 0.03, 8) + noise(count, 3, 0.02, 20) + self.paint(count)
        tone = column(self.tone(count))
        albedo = torch.exp(own + tone)

        # Light that skin throws into its hollows, and that goes on below it.
        mean = (lit * on).sum((2, 3), keepdim=True) / on.sum()
        bounce = column(r.uniform(0.3, 1, count)) * torch.exp(tone) * (1 - white.clamp(max=1)) * mean
        lit, white = lit + bounce, white + bounce / mean
        near, far = blur(lit * on, 1) / blur(on, 1).clamp(min=0.2), blur(lit * on, 4) / blur(on, 4).clamp(min=0.2)
        scatter = torch.tensor([0.65, 0.15, 0.0]).view(1, 3, 1, 1) * (1 if r.random() < 0.8 else 0)
        photo = albedo * (near + (far - near) * scatter) / white.clamp(min=0.08)

        # Gloss: what comes from the mirrored direction.
        mirrored = 2 * normal[2] * normal - torch.tensor([0.0, 0, 1]).view(3, 1, 1)
        lobe = (torch.from_numpy(self.directions) @ mirrored.reshape(3, -1)).clamp(min=0) ** r.choice([8, 20, 40])
        shine = torch.einsum("bkc,kp->bcp", light, lobe / lobe.sum(0).clamp(min=1e-3)).view(count, 3, N, N) - 1
        fresnel = 0.028 + 0.6 * (1 - normal[2].clamp(0, 1)) ** 5
        photo = (photo + column(r.uniform(0, 1.6, count)) * fresnel * shine * white.clamp(max=1)).clamp(min=1e-4)

        mask = (seen > 0.4).float() * (normal[2] > 0.15) * on
        log_mean = lambda v: (torch.log(v) * mask).sum((2, 3), keepdim=True) / mask.sum((2, 3), keepdim=True).clamp(min=1)
        cast = log_mean(photo) - log_mean(albedo)
        balance = -column(r.uniform(0.3, 1, count)) * (cast - cast.mean(1, keepdim=True)) + column(r.normal(0, 0.04, (count, 3)))
        exposure = column(r.normal(0, 0.15, count)) - cast.mean(1, keepdim=True)
        photo = (photo * torch.exp(balance + exposure)).clamp(1e-4, 1) ** column(np.exp(r.normal(0, 0.08, count)))
        photo = (photo + torch.randn_like(photo) * 0.004 * torch.rand(count, 1, 1, 1)).clamp(0, 1)
        if r.random() < 0.3:  # glasses, strands, a hand
            mask = mask * (noise(count, 1, 1, 6) < 1.6)

        # Normals as inexact as a fitted face's.
        other = self.normals[r.integers(len(self.normals))]
        rough = F.normalize(normal + r.uniform(0, 0.7) * (other - normal) + 0.08 * noise(1, 3, 1, 6)[0], dim=0)
        logs, truth = torch.log(photo + 2e-3), torch.log(albedo.clamp(max=1) + 2e-3)
        fields = inputs(logs, rough[None].repeat(count, 1, 1, 1), mask.float())
        return fields, logs, truth, mask * normal[2].clamp(0, 1) ** 0.5
