"""Training examples: windows of build_data.py, shifted, recoloured, relit, covered and put before other backgrounds."""
import numpy as np
import torch
import torch.nn.functional as F

from build_data import MARGIN_X, MARGIN_Y
from net import HEIGHT, WIDTH

CROP_HEIGHT = 228  # of the engine's crop; the network leaves out its last rows
POOL = 360


def uniform(n, low, high, channels=1):
    return torch.empty(n, channels, 1, 1).uniform_(low, high)


def chance(n, p):
    return torch.rand(n, 1, 1, 1) < p


def plain(n):
    """Walls: white, even, sloped and blotched."""
    out = torch.rand(n, 3, 1, 1).expand(n, 3, HEIGHT, WIDTH).clone()
    across, down = torch.linspace(-0.3, 0.3, WIDTH), torch.linspace(-0.3, 0.3, HEIGHT)
    for k in range(n):
        kind = torch.rand(1).item()
        if kind < 0.3:
            out[k] = torch.empty(1).uniform_(0.78, 1) + 0.02 * torch.randn(3, 1, 1)
        if kind < 0.5:
            out[k] += (across * (torch.rand(1) * 2 - 1))[None, None] + (down * (torch.rand(1) * 2 - 1))[None, :, None]
        else:
            cells = int(torch.randint(2, 24, (1,)))
            blotches = torch.randn(1, 3, cells, cells) * torch.rand(1) * 0.35
            out[k] += F.interpolate(blotches, size=(HEIGHT, WIDTH), mode='bicubic', align_corners=False)[0]
    return out.clamp_(0, 1)


def recolour(x):
    """Exposure, contrast, saturation and tint of a whole picture, with polynomials: powers are slow."""
    n, _, h, w = x.shape
    middle = x.mean((2, 3), keepdim=True)
    contrast, bright = torch.exp(uniform(n, -0.3, 0.3)), torch.exp(uniform(n, -0.3, 0.3))
    saturation = torch.exp(uniform(n, -0.5, 0.4)) * ~chance(n, 0.05)
    tint = torch.exp(uniform(n, -0.14, 0.14, 3))
    grey = torch.tensor([0.3, 0.59, 0.11]).view(1, 1, 3).expand(n, 3, 3)
    matrix = (saturation.view(n, 1, 1) * torch.eye(3) + (1 - saturation.view(n, 1, 1)) * grey) * tint.view(n, 3, 1)
    offset = (middle * (bright - contrast)).view(n, 3, 1)
    y = x + uniform(n, -0.6, 0.6) * x * (1 - x)
    y = torch.bmm(matrix * contrast.view(n, 1, 1), y.reshape(n, 3, h * w)) + torch.bmm(matrix, offset)
    return y.view(n, 3, h, w).clamp_(0, 1)


def soft_waves(n):
    """Smooth noise, about −1 … 1."""
    cells = int(torch.randint(3, 9, (1,)))
    return F.interpolate(torch.randn(n, 1, cells, cells), size=(HEIGHT, WIDTH), mode='bilinear', align_corners=False)


class Examples:
    def __init__(self, windows, prob, seed):
        self.channels = torch.from_numpy(windows['channels'])
        self.places = torch.from_numpy(windows['places'])
        self.known = torch.from_numpy(~windows['unknown'])
        self.prob = prob / prob.sum()
        self.rng = np.random.default_rng(seed)
        self.noise = torch.randn(16, 3, HEIGHT, WIDTH)
        self.fill_pool()

    def fill_pool(self):
        """Backgrounds, made once and now and then anew: other photos with their persons, and walls."""
        self.pool = torch.empty(POOL, 3, HEIGHT, WIDTH, dtype=torch.uint8)
        self.owner = torch.full((POOL,), -1)
        for k in range(0, POOL, 12):
            if k < POOL * 0.6:
                i = torch.from_numpy(self.rng.integers(0, len(self.channels), 12))
                picture = recolour(self.sample(i, far=True)[0][:, :3])
                self.owner[k : k + 12] = i
            else:
                picture = plain(12)
            if k % 36 == 0:
                picture = F.avg_pool2d(picture, 9, 1, 4, count_include_pad=False)
            self.pool[k : k + 12] = (picture * 255).byte()

    def sample(self, index, far=False):
        """The channels under a random similarity and warp, and each pixel's place in the face's frame."""
        n = len(index)
        u = lambda low, high: torch.empty(n, 1, 1).uniform_(low, high)
        scale = u(0.55, 1.3) if far else torch.exp(u(-0.2, 0.2))
        turn = u(-0.14, 0.14)
        shift_x = u(-0.3, 0.3) + torch.where(torch.rand(n, 1, 1) < 0.5, -0.5, 0.5) if far else u(-0.06, 0.06)
        shift_y = u(-0.25, 0.35) if far else u(-0.06, 0.06)
        flip = torch.where(torch.rand(n, 1, 1) < 0.5, -1.0, 1.0)
        y, x = torch.meshgrid(torch.arange(HEIGHT) + 0.5, torch.arange(WIDTH) + 0.5, indexing='ij')
        dx, dy = (x - WIDTH / 2)[None] * flip, (y - CROP_HEIGHT / 2)[None]
        c, s = torch.cos(turn) / scale, torch.sin(turn) / scale
        px = MARGIN_X + WIDTH / 2 + c * dx - s * dy + shift_x * WIDTH
        py = MARGIN_Y + CROP_HEIGHT / 2 + s * dx + c * dy + shift_y * HEIGHT
        axis, half, chin, forehead = (v.view(n, 1, 1) for v in self.places[index].T)
        a, b = (px - axis) / half, (chin - py) / (chin - forehead)
        if not far:
            # More or less hair beside and above the face, and other proportions of the cranium.
            warped = torch.rand(n, 1, 1) < 0.4
            wide = torch.where(warped, torch.exp(u(-0.45, 0.3)), torch.ones(n, 1, 1))
            high = torch.where(warped, torch.exp(u(-0.3, 0.25)), torch.ones(n, 1, 1))
            beyond = (a.abs() - 1.05).clamp_min(0) * (1 - wide) * a.sign()
            px = px - beyond * half
            py = py + (b - 1.02).clamp_min(0) * (1 - high) * (chin - forehead)
            a, b = (px - axis) / half, (chin - py) / (chin - forehead)
        h, w = self.channels.shape[2:]
        grid = torch.stack([2 * px / w - 1, 2 * py / h - 1], -1)
        pixels = self.channels[index].float().div_(255)
        out = F.grid_sample(pixels, grid, mode='bilinear', padding_mode='border', align_corners=False)
        return out, a.unsqueeze(1), b.unsqueeze(1)

    def batch(self, n):
        i = torch.from_numpy(self.rng.choice(len(self.prob), n, p=self.prob))
        sampled, a, b = self.sample(i)
        rgb, oval, hair, person, skin, known_skin, inside, known_hair = (
            sampled[:, :3],
            *(sampled[:, k : k + 1] for k in range(3, 10)),
        )
        known_hair = (known_hair > 0.9) * self.known[i].float().view(n, 1, 1, 1)
        known_skin = (known_skin > 0.9).float()
        known_person = torch.ones_like(hair)
        mean_of = lambda mask: (rgb * mask).sum((2, 3), keepdim=True) / (mask.sum((2, 3), keepdim=True) + 1)
        hair_colour, skin_colour = mean_of(hair), mean_of(skin)

        # Other colours of hair and skin, which keep the picture's detail.
        def shifted(mask, colour, p, low, high):
            target = (colour * torch.exp(uniform(n, low, high)) + 0.12 * torch.randn(n, 3, 1, 1)).clamp(0.03, 0.95)
            level = rgb.mean(1, keepdim=True) / (colour.mean(1, keepdim=True) + 0.04)
            mixed = target * level.clamp(0, 1.0 / 0.45)
            share = mask * chance(n, p) * uniform(n, 0.5, 1)
            return rgb + (mixed.clamp(0, 1) - rgb) * share

        rgb = shifted(hair, hair_colour, 0.25, -1.0, 1.6)
        # Skin darkens and lightens by one factor a channel, with lips, brows and beard.
        bare = (person * (1 - hair) * (b > -0.45)).clamp(0, 1)
        level = torch.exp(uniform(n, -0.8, 0.35)) * torch.exp(uniform(n, -0.08, 0.08, 3))
        rgb = rgb * (1 + (level - 1) * bare * chance(n, 0.25))
        rgb = recolour(rgb.clamp(0, 1))

        # Another background, often with a person in it, or in the colour of hair or skin.
        alpha = ((torch.maximum(person, hair) - 0.15) / 0.7).clamp_(0, 1)
        r = torch.rand(n)
        from_photo = int(POOL * 0.6)
        j = torch.where(r < 0.4, torch.randint(0, from_photo, (n,)), torch.randint(from_photo, POOL, (n,)))
        behind = self.pool[j].float() * (uniform(n, 0.6, 1.15) / 255)
        behind = torch.where(chance(n, 0.5), behind.flip(3), behind)
        own = torch.where(chance(n, 0.5), mean_of(hair), mean_of(skin))
        own = own + 0.05 * soft_waves(n) * torch.rand(n, 1, 1, 1) + 0.1 * (behind - behind.mean((2, 3), keepdim=True))
        behind = torch.where(((r > 0.62) & (r < 0.72)).view(n, 1, 1, 1), own, behind)
        # Parts of a background in the colour of the hair, as a dark chair beside the neck.
        like_hair = (mean_of(hair) * torch.exp(uniform(n, -0.3, 0.3)) + 0.06 * soft_waves(n)).clamp(0, 1)
        part = torch.sigmoid(8 * (soft_waves(n) - uniform(n, -0.4, 0.8)))
        curtain = ((a - uniform(n, -2, 2)).abs() < uniform(n, 0.1, 0.6)) & (b < uniform(n, 0.2, 1.5))
        part = torch.where(chance(n, 0.5), curtain.float(), part) * chance(n, 0.3)
        behind = (behind + (like_hair - behind) * part).clamp_(0, 1)
        changed = ((r < 0.76) & (self.owner[j] != i)).view(n, 1, 1, 1)
        rgb = torch.where(changed, behind + (rgb - behind) * alpha, rgb)
        inside = torch.where(changed & (alpha < 0.5), torch.ones_like(inside), inside)

        def cover(mask, texture, is_person):
            nonlocal rgb, hair, person, skin, known_person, known_hair
            soft = mask.float()
            rgb = rgb + (texture - rgb) * soft
            hair, skin = hair * (1 - soft), skin * (1 - soft)
            # What covers unknown hair is known.
            known_hair = torch.maximum(known_hair, (soft > 0.9).float())
            if is_person is None:
                known_person = known_person * (1 - soft)
            else:
                person = torch.maximum(person, soft) if is_person else person * (1 - soft)

        u = lambda low, high: uniform(n, low, high)
        texture = self.pool[torch.randint(0, POOL, (n,))].float() / 255
        if torch.rand(1) < 0.5:
            # Hats and caps: a crown above a brim.
            brim, crown, wide = u(0.9, 1.08), u(0.35, 0.7), u(1.1, 1.4)
            hat = (b > brim) & (((a / wide) ** 2 + ((b - brim) / crown) ** 2) < 1)
            rim = ((a / (wide + u(-0.1, 0.7))) ** 2 + ((b - brim) / u(0.04, 0.12)) ** 2) < 1
            dyed = (torch.rand(n, 3, 1, 1) + (texture - 0.5) * u(0, 0.6)).clamp(0, 1)
            cover((hat | rim) & chance(n, 0.12), dyed, True)
        if torch.rand(1) < 0.5:
            # Hands and arms beside the head, in the person's skin.
            angle, side = u(-0.7, 0.7), torch.where(chance(n, 0.5), -1.0, 1.0)
            x0, y0 = a - side * u(0.95, 1.9), b - u(-0.2, 1.2)
            along, across = x0 * torch.sin(angle) + y0 * torch.cos(angle), x0 * torch.cos(angle) - y0 * torch.sin(angle)
            hand = ((across / u(0.15, 0.4)) ** 2 + (along / u(0.25, 0.7)) ** 2) ** 2 < 1 + 0.5 * soft_waves(n)
            lit = (mean_of(skin) * (1 + 0.35 * soft_waves(n) * u(0, 1)) + 0.1 * (texture - 0.5)).clamp(0, 1)
            bare_hand = hand & chance(n, 0.12)
            known_skin = known_skin * ~bare_hand
            cover(bare_hand, lit, None)
        if torch.rand(1) < 0.5:
            # Anything else before the head, but not over the middle of the face.
            x0, y0 = a - u(-2, 2), b - u(-0.4, 1.8)
            thing = ((x0 / u(0.1, 0.6)) ** 2 + (y0 / u(0.1, 0.6)) ** 2) < 1 + 0.4 * soft_waves(n)
            cover(thing & (oval < 0.5) & chance(n, 0.2), texture, None)

        # Hard light: a shadow with an edge, a slope, and a lamp's tint on one side.
        angle = u(0, 6.283)
        reach = torch.cos(angle) * a + torch.sin(angle) * (b - 0.5) + 0.25 * soft_waves(n)
        lit = torch.sigmoid(reach * torch.exp(u(0.3, 3.2)))
        shade = torch.exp(u(-1.2, 0)) * torch.exp(uniform(n, -0.15, 0.15, 3))
        rgb = rgb * (1 - (1 - shade) * (1 - lit) * chance(n, 0.4)) * torch.exp(u(-0.1, 0.3) * chance(n, 0.4))
        # Shade and gloss that lie on a part of the head.
        spot = torch.exp(-(((a - u(-1, 1)) / u(0.3, 0.9)) ** 2 + ((b - u(0.3, 1.3)) / u(0.15, 0.5)) ** 2))
        rgb = rgb * (1 - spot * u(0.1, 0.65) * torch.exp(uniform(n, -0.1, 0.1, 3)) * chance(n, 0.2)).clamp(0.1, 1)
        rgb = rgb + (1 - rgb) * spot * u(0.1, 0.6) * chance(n, 0.1)
        # Small, soft and noisy photos.
        for size in (2, 3, 5):
            if torch.rand(1) < 0.16:
                part = torch.rand(n) < 0.6
                small = F.avg_pool2d(rgb[part], size, ceil_mode=True) if part.any() else rgb[part]
                if part.any():
                    rgb[part] = F.interpolate(small, size=(HEIGHT, WIDTH), mode='bilinear', align_corners=False)
        rgb = rgb + self.noise[torch.randint(0, 16, (n,))] * torch.rand(n, 1, 1, 1) ** 2 * 0.05
        rgb = rgb.clamp_(0, 1)
        # The photo's edge cuts the head: the border repeats, as the engine samples it.
        for k in range(n):
            if torch.rand(1) < 0.1:
                row = int(torch.randint(1, 60, (1,)))
                rgb[k, :, :row] = rgb[k, :, row : row + 1]
                inside[k, :, :row] = 0
            if torch.rand(1) < 0.06:
                column = int(torch.randint(1, 45, (1,)))
                rgb[k, :, :, :column] = rgb[k, :, :, column : column + 1]
                inside[k, :, :, :column] = 0
        inside = (inside > 0.5).float()
        return torch.cat([rgb, oval], 1), hair, person, skin, inside * known_hair, inside * known_person, inside * known_skin
