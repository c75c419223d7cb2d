"""The live network and the second hearing, trained together on a GPU in minutes, both taught by a larger network.

python3 together.py <corpora folder> <folder out> --resume <checkpoint of the live network> --device cuda
                    [--teacher-minutes 3] [--minutes 5] [--teacher checkpoint] [--hold …] [--rows 192]

First a second hearing some four times too large to ship learns from the labels; then the two that ship learn half from the labels
and half from what it says of the same sound (Hinton et al., arXiv 1503.02531), heard without the frames and bands that they lose.
Live goes on from its checkpoint, widened; the second hearing's trunk begins as the same but learns to speak AHEAD frames late.
Writes teacher.pt, live.pt and second.pt every so often.
"""

import argparse
import os
import time

import numpy as np
import torch

import augment
import hearing
import train
import widen
from hearing import EDGE, SPAN
from network import DILATIONS, LOOKAHEADS, Network, checkpoint

LIVE_WIDTH, SECOND_WIDTH = 192, 160
TEACHER_WIDTH = 320  # of its trunk and of its blocks
AHEAD = 20
TAUGHT = 0.5  # share of the loss that the teacher has
ALONE = 0.4  # weight of what the trunk says alone: contacts are heard there too
SEED = 101
HEARD = slice(EDGE, EDGE + SPAN)
TOLD_EVERY, SAVED_EVERY = 15, 45  # seconds
LIVE_HEAD = 2  # 40 ms


class Loss:
    def __init__(self, weight):
        self.right = torch.nn.CrossEntropyLoss(weight=weight, ignore_index=255)

    def __call__(self, logits, y, said=None, late=0):
        """:param said: the teacher's posteriors :param late: frames by which the answers come later than y"""
        frames = slice(HEARD.start - late, HEARD.stop - late)
        answers = logits[:, :, HEARD].float()
        loss = self.right(answers, y[:, frames])
        if said is None:
            return loss
        of_teacher = -(said[:, :, frames] * torch.log_softmax(answers, 1)).sum(1).mean()
        return (1 - TAUGHT) * loss + TAUGHT * of_teacher


class Learner:
    """A network, its optimiser, and how far it is."""

    def __init__(self, net, loss, rate, device, path, half=False):
        self.net, self.loss, self.rate, self.path, self.half = net.to(device), loss, rate, path, half
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=2e-2)
        self.sum, self.count = torch.zeros((), device=device), 0

    def step(self, loss, done, step):
        rate = self.rate * max(0.005, min(1.0, (step + 1) / 300) * (0.5 + 0.5 * np.cos(np.pi * done)))
        for g in self.optimiser.param_groups:
            g["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.optimiser.step()
        self.sum += loss.detach()
        self.count += 1

    def told(self):
        mean = float(self.sum) / max(1, self.count)
        self.sum.zero_()
        self.count = 0
        if not np.isfinite(mean):
            raise FloatingPointError(f"{self.path}: the loss is {mean}")
        return mean

    def save(self, start_mean, step):
        state = {k: (v.half() if self.half and v.is_floating_point() else v).cpu() for k, v in self.net.state_dict().items()}
        saved = {"net": state, "start_mean": torch.tensor(start_mean), "step": step}  # pickled arrays depend on NumPy's version
        if isinstance(self.net, hearing.SecondHearing):
            saved["ahead"] = self.net.ahead
        torch.save(saved, self.path + ".part")
        os.replace(self.path + ".part", self.path)


def live_loss(loss, heads, y, said):
    return sum(loss(head, y, said, k) for head, k in zip(heads, LOOKAHEADS)) / len(LOOKAHEADS)


def second_loss(loss, both, y, said=None):
    alone, together = both
    return loss(together, y, said) + ALONE * loss(alone, y, said)


class Held:
    """Voices that nothing is trained on, their mean taken once."""

    def __init__(self, data, start_mean, limit=18000):
        self.start_mean = start_mean
        self.rows = {n: (mel[:limit].astype(np.float32), label[:limit]) for n, (mel, label) in data.items()}
        self.less_mean = {n: train.stream(mel, start_mean) for n, (mel, _) in self.rows.items()}

    def second(self, net):
        return hearing.told({n: (hearing.posteriors(net, mel, self.start_mean, self.less_mean[n]), label)
                             for n, (mel, label) in self.rows.items()})

    def live(self, net):
        late, heard = LOOKAHEADS[LIVE_HEAD], {}
        net.eval()
        for n, (mel, label) in self.rows.items():
            x = torch.tensor(self.less_mean[n], device=net.first.weight.device).T[None]
            with torch.no_grad():
                heard[n] = torch.softmax(net(x)[LIVE_HEAD][0], 0).T.cpu().numpy()[late:], label
        net.train()
        return hearing.told(heard)


def course(minutes, batches, learners, losses, held, start_mean):
    """Steps until the time is over. :param losses: x, x with frames and bands lost, y → each learner's loss"""
    began, step, told, saved = time.time(), 0, 0.0, 0.0

    def score():
        for learner in learners:
            learner.save(start_mean, step)
            is_second = isinstance(learner.net, hearing.SecondHearing)
            print("held out,", os.path.basename(learner.path), (held.second if is_second else held.live)(learner.net), flush=True)

    while time.time() - began < minutes * 60:
        x, y = batches()
        done = min(1.0, (time.time() - began) / (minutes * 60))
        for learner, loss in zip(learners, losses(x, augment.lose(x, batches.chance), y)):
            learner.step(loss, done, step)
        step += 1
        now = time.time() - began
        if now - told > TOLD_EVERY:
            print(f"{step} {now:.0f}s loss", *(f"{learner.told():.4f}" for learner in learners), flush=True)
            told = now
        if now - saved > SAVED_EVERY:
            score()
            saved = now
    print(step, "steps", flush=True)
    score()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("corpora")
    p.add_argument("out")
    p.add_argument("--resume", required=True, help="checkpoint of the live network")
    p.add_argument("--teacher", help="its checkpoint, where it has learnt already")
    p.add_argument("--teacher-width", type=int, default=TEACHER_WIDTH)
    p.add_argument("--teacher-minutes", type=float, default=3)
    p.add_argument("--minutes", type=float, default=5)
    p.add_argument("--hold", default="")
    p.add_argument("--device", default="cpu")
    p.add_argument("--rows", type=int, default=192)
    p.add_argument("--at-once", type=int, default=16, help="batches that are made at once")
    p.add_argument("--seed", type=int, default=SEED)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    os.makedirs(a.out, exist_ok=True)
    torch.backends.cudnn.benchmark = True  # it tries which of its convolutions are fastest
    data = train.load(a.corpora)
    held = {n: data.pop(n) for n in a.hold.split(",") if n in data}
    print({n: round(len(d[0]) / 6000, 1) for n, d in data.items()}, "minutes; held out", list(held), flush=True)
    saved = checkpoint(a.resume)
    start_mean = saved["start_mean"]
    held = Held(held, start_mean)
    loss = Loss(train.class_weights(data, PP=1.4, FF=1.4, nn=1.25).to(a.device))
    batches = train.Batches(data, a.seed, torch.tensor(start_mean), a.rows, 2 * EDGE + SPAN, a.device, a.at_once)
    cast = lambda: torch.autocast(torch.device(a.device).type, dtype=torch.bfloat16, enabled=a.device != "cpu")

    def second_losses(learner, x, y, said=None):
        with cast():
            both = learner.net.both(x)
        return second_loss(loss, both, y, said)

    if a.teacher:
        teacher = hearing.network_of(checkpoint(a.teacher)).to(a.device)
    else:
        large = {"width": a.teacher_width, "dilations": DILATIONS}
        teacher = hearing.SecondHearing(large, AHEAD, a.teacher_width, dropout=0.15, learns=True)
        learner = Learner(teacher, loss, 2.5e-3, a.device, a.out + "/teacher.pt", half=True)
        course(a.teacher_minutes, batches, [learner], lambda x, lossy, y: [second_losses(learner, lossy, y)], held, start_mean)
    teacher.eval().requires_grad_(False)

    wide = widen.widened(saved, LIVE_WIDTH, len(DILATIONS))
    net, second = Network(width=LIVE_WIDTH, dilations=DILATIONS), hearing.SecondHearing(
        {"width": LIVE_WIDTH, "dilations": DILATIONS}, AHEAD, SECOND_WIDTH, learns=True)
    net.load_state_dict(wide["net"])
    second.trunk.load_state_dict(wide["net"])
    live = Learner(net, loss, 2e-3, a.device, a.out + "/live.pt")
    second = Learner(second, loss, 2e-3, a.device, a.out + "/second.pt")

    def losses(x, lossy, y):
        with torch.no_grad(), cast():
            said = torch.softmax(teacher(x).float(), 1)
        with cast():
            heads = live.net(lossy)
        yield live_loss(loss, heads, y, said)
        yield second_losses(second, lossy, y, said)

    course(a.minutes, batches, [live, second], losses, held, start_mean)


if __name__ == "__main__":
    main()
