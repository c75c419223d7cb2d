"""What this network says of a made-up sound, for the engine's test that it says the same.

python3 twin.py <checkpoint> <packages/speech/test/second_hearing_twin.json>
"""

import json
import sys

import numpy as np
import torch

import export
import features
import hearing
from network import checkpoint

SECONDS, EVERY = 6.3, 7  # frames


def sound():
    """Buzzes of changing colour with pauses; the test makes the same."""
    i = np.arange(int(SECONDS * 16000), dtype=np.float64)
    out = np.zeros(len(i))
    for k in range(1, 25):
        out += np.sin(i * k * 0.0471) * (0.5 + 0.5 * np.sin(i * 0.0002 * k + k * k)) / k
    return (out * 0.1 * (np.sin(i * 0.0009) > -0.4)).astype(np.float32)


def as_stored(net):
    """The network with the weights that export.py leaves of it."""
    layers = export.layers_of(net)
    with torch.no_grad():
        for conv, norm in layers:
            w, b = export.folded(conv, norm)
            scale = np.maximum(np.abs(w).max(1), 1e-9)[:, None] / 127
            w = (np.round(w / scale) * scale).reshape(len(w), conv.kernel_size[0], -1).transpose(0, 2, 1)
            conv.weight.copy_(torch.tensor(w.copy()))
            conv.bias.copy_(torch.tensor(b.copy()))
            if norm is not None:
                norm.running_mean.zero_(), norm.bias.zero_(), norm.weight.fill_(1)
                norm.running_var.fill_(1 - norm.eps)
    return net


if __name__ == "__main__":
    saved = checkpoint(sys.argv[1])
    start = np.round(saved["start_mean"].astype(np.float64), 4)
    said = hearing.posteriors(as_stored(hearing.network_of(saved)), features.log_mel(sound()), start)
    rows = [[round(float(p), 4) for p in row] for row in said[::EVERY]]
    with open(sys.argv[2], "w") as f:
        json.dump({"seconds": SECONDS, "every": EVERY, "posteriors": rows}, f)
        f.write("\n")
