"""
Trains the network: train.py WINDOWS.npz FOLDER STEPS [--start WEIGHTS.bin] [--finish] [--rate RATE] [--all]

Keeps the state (weights, their running mean, optimiser, step) in FOLDER/state.pt and goes on from there. The rate is
constant, so that training can go on at any time; --finish lets it fall to zero over STEPS, keeps its state in finish.pt and
writes final.pt. A fold of the photos, by the hash of their names, is held out for the figures that it prints; --all trains on it too.
"""
import argparse
import hashlib
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from augment import Examples
from build_data import MARGIN_X, MARGIN_Y, to_lab
from load_weights import load_weights
from net import HEIGHT, WIDTH, SegmentationNet, count

BATCH, RATE, WARM_UP, KEEP_EVERY, REPORT_EVERY = 12, 1.2e-3, 100, 50, 250


def is_held_out(name):
    if name.startswith('drawn-'):
        return False
    return hashlib.sha1(name.split('+')[0].encode()).digest()[0] % 8 == 0


def mean_loss(logits, target, weight):
    loss = F.binary_cross_entropy_with_logits(logits, target, reduction='none')
    return (loss * weight).sum() / (weight.sum() + 1)


def loss_of(y, hair, person, skin, on_hair, on_person, on_skin):
    edge = 1 + 2 * (F.max_pool2d(hair, 5, 1, 2) + F.max_pool2d(-hair, 5, 1, 2))
    p = torch.sigmoid(y[:, :1])
    both = (p * hair * on_hair).sum((1, 2, 3))
    total = ((p + hair) * on_hair).sum((1, 2, 3))
    # A few pixels of hair on a bald head weigh little against the constant.
    dice = (1 - (2 * both + 50) / (total + 50)).mean()
    hair_loss = mean_loss(y[:, :1], hair, on_hair * edge)
    return hair_loss + 0.5 * dice + 0.5 * mean_loss(y[:, 1:2], skin, on_skin) + 0.4 * mean_loss(y[:, 2:], person, on_person)


def middle(windows):
    """What the network sees of windows without any change."""
    return windows['channels'][:, :, MARGIN_Y : MARGIN_Y + HEIGHT, MARGIN_X : MARGIN_X + WIDTH]


def predict(net, crops):
    net.eval()
    with torch.no_grad():
        parts = [net(torch.from_numpy(crops[k : k + 8, :4].copy()).float() / 255) for k in range(0, len(crops), 8)]
    net.train()
    return torch.cat(parts).numpy()


def iou(mask, truth):
    union = (mask | truth).sum()
    return (mask & truth).sum() / union if union > 60 else 1.0


def scores(net, windows):
    """Hair, person and skin of windows whose hair is known: IoU by photo; hair found on the bald, in parts of the face."""
    crops = middle(windows)
    found = predict(net, crops) > 0
    on = crops > 127
    inside = on[:, 8]
    hair = np.array([iou(f[0] & i, o[4] & i) for f, o, i in zip(found, on, inside)])
    person = np.array([iou(f[2] & i, o[5] & i) for f, o, i in zip(found, on, inside)])
    skin = np.array([iou(f[1] & o[7] & i, o[6] & o[7] & i) for f, o, i in zip(found, on, inside)])
    spill = np.array([(f[0] & i).sum() / o[3].sum() for f, o, i in zip(found, on, inside)])
    return hair, person, skin, spill


def subset(windows, mask):
    return {k: windows[k][mask] for k in ('names', 'channels', 'places', 'bald', 'unknown')}


# Individual typology angle of the skin, degrees, from which on it is lighter than the group (Chardon 1991).
TONES = {'dark': 10, 'tan': 28, 'intermediate': 41, 'light': 91}


def tones_of(windows):
    """The group of each face's skin in its photo."""
    angles = []
    for c in middle(windows):
        bare = (c[3] > 127) & (c[4] < 80)
        lightness, _, yellow = to_lab(c[:3].transpose(1, 2, 0))[bare].mean(0)
        angles.append(np.degrees(np.arctan2(lightness - 50, yellow)))
    return np.array(list(TONES))[np.searchsorted(list(TONES.values()), angles, 'right').clip(0, 3)]


def report(net, held, tones):
    hair, person, skin, spill = scores(net, held)
    usual = ~held['bald'] & ~held['unknown']
    bald = spill[held['bald']]
    return 'hair %.4f (median %.4f, least %.3f; %s) person %.4f skin %.4f; hair on %d bald: %s' % (
        hair[usual].mean(),
        np.median(hair[usual]),
        hair[usual].min(),
        ', '.join('%s %.3f' % (t, hair[usual & (tones == t)].mean()) for t in TONES),
        person.mean(),
        skin.mean(),
        len(bald),
        ' '.join('%.2f' % s for s in bald),
    )


def weights_of(windows):
    """How often each window is drawn: bald heads, very short hair and dark skin more often."""
    crops = middle(windows)
    share = (crops[:, 4] > 127).sum((1, 2)) / (crops[:, 3] > 127).sum((1, 2))
    is_made = np.array(['+' in n for n in windows['names']])
    weights = np.where(windows['bald'], 3.0, np.where(share < 0.35, 2.0, 1.0))
    weights = np.where(tones_of(windows) == 'dark', 1.5 * weights, weights)
    return np.where(is_made, 0.3, weights)


def save(path, value):
    torch.save(value, path + '.part')
    os.replace(path + '.part', path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('windows')
    parser.add_argument('folder')
    parser.add_argument('steps', type=int)
    parser.add_argument('--start')
    parser.add_argument('--finish', action='store_true')
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--rate', type=float, default=RATE)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.backends.nnpack.set_flags(False)
    os.makedirs(options.folder, exist_ok=True)
    windows = dict(np.load(options.windows))
    out = np.array([is_held_out(n) for n in windows['names']])
    made = np.array(['+' in n for n in windows['names']])
    held, train = subset(windows, out & ~made), subset(windows, ~out | options.all)
    tones = tones_of(held)
    net = SegmentationNet()
    state_file, finish_file = f'{options.folder}/state.pt', f'{options.folder}/finish.pt'
    state = None
    for file in [finish_file] * options.finish + [state_file]:
        if state is None and os.path.exists(file):
            state = torch.load(file)
            net.load_state_dict(state['net'])
    if state is None and options.start:
        net = load_weights(options.start, torch.from_numpy(middle(train)[:96, :4].copy()).float() / 255)
    net = net.to(memory_format=torch.channels_last)
    mean = SegmentationNet()
    mean.load_state_dict(state['mean'] if state else net.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=1e-4)
    if state:
        optimiser.load_state_dict(state['optimiser'])
    step = state['step'] if state else 0
    first = state.get('first', step) if state else 0
    torch.manual_seed(step + 1)
    examples = Examples(train, weights_of(train), step + 1)
    print('%d windows, %d held out; %d parameters, %.1f M multiplications' % (len(out), len(held['names']), *(v / d for v, d in zip(count(mean), (1, 1e6)))))
    print('step %d' % step, report(mean, held, tones), flush=True)
    start, losses = time.process_time(), []
    net.train()
    while step < first + options.steps:
        rate = options.rate * min(1, (step - first + 1) / WARM_UP)
        if options.finish:
            rate *= max(0.01, 1 - (step - first) / options.steps)
        for group in optimiser.param_groups:
            group['lr'] = rate
        x, *targets = examples.batch(BATCH)
        with torch.autocast('cpu', torch.bfloat16):
            y = net(x.contiguous(memory_format=torch.channels_last))
        loss = loss_of(y.float(), *targets)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        keep = min(0.99 if options.finish else 0.998, (step - first + 1) / (step - first + 20))
        with torch.no_grad():
            for old, new in zip(mean.state_dict().values(), net.state_dict().values()):
                if old.dtype.is_floating_point:
                    old.mul_(keep).add_(new, alpha=1 - keep)
                else:
                    old.copy_(new)
        step += 1
        losses.append(loss.item())
        if step % KEEP_EVERY == 0:
            value = {'net': net.state_dict(), 'mean': mean.state_dict(), 'optimiser': optimiser.state_dict(), 'step': step}
            save(finish_file if options.finish else state_file, {**value, 'first': first} if options.finish else value)
        if step % REPORT_EVERY == 0:
            spent = (time.process_time() - start) / 60
            print('step %d cpu %.1f min loss %.4f' % (step, spent, np.mean(losses[-REPORT_EVERY:])), report(mean, held, tones), flush=True)
        if step % 1500 == 0:
            examples.fill_pool()
    if options.finish:
        save(f'{options.folder}/final.pt', {'mean': mean.state_dict(), 'step': step})
        print('final', report(mean, held, tones), flush=True)


if __name__ == '__main__':
    main()
