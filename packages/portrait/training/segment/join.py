"""Joins windows of several sources: join.py OUT.npz WINDOWS.npz …"""
import sys

import numpy as np

parts = [dict(np.load(f)) for f in sys.argv[2:]]
np.savez(sys.argv[1], **{k: np.concatenate([p[k] for p in parts]) for k in parts[0]})
