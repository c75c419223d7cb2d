"""The segmentation network: a depthwise-separable U-Net on the head crop and the face's outline."""
import torch.nn as nn
import torch.nn.functional as F

INPUTS, OUTPUTS = 4, 3  # RGB and the face's oval; hair, skin, person
WIDTHS = (24, 48, 96, 144, 192)
DEPTHS = (1, 3, 3, 2)
HEIGHT, WIDTH = 224, 192


class Separable(nn.Module):
    """A depthwise convolution, then a pointwise one; adds its input where the shapes agree."""

    def __init__(self, inputs, outputs, size=3, stride=1):
        super().__init__()
        self.dw = nn.Conv2d(inputs, inputs, size, stride, size // 2, groups=inputs, bias=False)
        self.n1 = nn.BatchNorm2d(inputs)
        self.pw = nn.Conv2d(inputs, outputs, 1, bias=False)
        self.n2 = nn.BatchNorm2d(outputs)
        self.residual = inputs == outputs and stride == 1

    def forward(self, x):
        y = self.n2(self.pw(self.n1(self.dw(x))))
        return F.relu(y + x) if self.residual else F.relu(y)


class Up(nn.Module):
    """Enlarges what is deep and adds what is shallow."""

    def __init__(self, deep, shallow, outputs, size=3):
        super().__init__()
        self.a = nn.Conv2d(deep, outputs, 1, bias=False)
        self.b = nn.Conv2d(shallow, outputs, 1, bias=False)
        self.n = nn.BatchNorm2d(outputs)
        self.ds = Separable(outputs, outputs, size)

    def forward(self, deep, shallow):
        # The 1 × 1 convolution comes first: it costs a quarter before the enlargement.
        y = F.interpolate(self.a(deep), size=shallow.shape[2:], mode='bilinear', align_corners=False)
        return self.ds(F.relu(self.n(y + self.b(shallow))))


class SegmentationNet(nn.Module):
    def __init__(self, widths=WIDTHS, depths=DEPTHS):
        super().__init__()
        c, n = widths, depths
        self.stem = nn.Sequential(nn.Conv2d(INPUTS, c[0], 3, 2, 1, bias=False), nn.BatchNorm2d(c[0]), nn.ReLU())
        stage = lambda i, size: nn.Sequential(
            Separable(c[i], c[i + 1], size, 2), *[Separable(c[i + 1], c[i + 1], size) for _ in range(n[i])]
        )
        self.e2, self.e3, self.e4, self.e5 = stage(0, 3), stage(1, 3), stage(2, 5), stage(3, 5)
        self.d4, self.d3 = Up(c[4], c[3], c[3], 5), Up(c[3], c[2], c[2])
        self.d2, self.d1 = Up(c[2], c[1], c[1]), Up(c[1], c[0], c[0])
        self.out = nn.Conv2d(c[0], 4 * OUTPUTS, 1)

    def forward(self, x):
        """N × 4 × 224 × 192, 0..1 → logits of the same size."""
        x1 = self.stem(x)
        x2 = self.e2(x1)
        x3 = self.e3(x2)
        x4 = self.e4(x3)
        y = self.d4(self.e5(x4), x4)
        y = self.d1(self.d2(self.d3(y, x3), x2), x1)
        return F.pixel_shuffle(self.out(y), 2)


def count(net):
    """Parameters, and multiplications for one crop."""
    import torch

    macs = [0]

    def hook(module, _, output):
        if isinstance(module, nn.Conv2d):
            macs[0] += output.numel() * module.weight[0].numel()

    hooks = [m.register_forward_hook(hook) for m in net.modules()]
    training = net.training
    net.eval()
    with torch.no_grad():
        net(torch.zeros(1, INPUTS, HEIGHT, WIDTH))
    net.train(training)
    for h in hooks:
        h.remove()
    return sum(p.numel() for p in net.parameters()), macs[0]
