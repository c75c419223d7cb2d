"""Writes light maps of the npm package @pmndrs/assets (CC0) as 32-bit floats: three channels a pixel, rows from the top.

usage: blender -b --python read_places.py -- ASSETS OUT
"""
import base64
import os
import re
import sys

import bpy
import numpy as np

assets, out = sys.argv[sys.argv.index("--") + 1 :]
os.makedirs(out, exist_ok=True)
for name in ("esplanade", "lab", "sunrise", "workshop"):  # no test photo has these
    text = open(f"{assets}/hdri/{name}.exr.js").read()
    path = f"{out}/{name}.exr"
    with open(path, "wb") as file:
        file.write(base64.b64decode(re.search(r"base64,([^'\"]+)", text).group(1)))
    image = bpy.data.images.load(os.path.abspath(path))
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    pixels.reshape(height, width, 4)[::-1, :, :3].tofile(f"{out}/{name}-{width}.f32")
    os.remove(path)
