"""Renders a take (a GLB or FBX with an animation) to PNG frames, in Blender 3.4 or newer.

blender --background --python render_take.py -- take.glb frames/ [--size 720] [--engine CYCLES] [--samples 16]
        [--fps 30] [--first 1] [--last 48]
"""

import argparse
import json
import math
import struct
import subprocess
import sys

import bpy
from mathutils import Vector

try:
    import numpy
except ModuleNotFoundError:
    # A Blender that uses the system's Python, which may have it elsewhere.
    where = "import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))"
    found = subprocess.run(["python3", "-c", where], capture_output=True, text=True)
    if found.returncode != 0:
        sys.exit("Blender's importers need NumPy: install python3-numpy.")
    sys.path.append(found.stdout.strip())
    import numpy

# Debian's Blender 3.4 comes with a numpy that has dropped the names which its glTF importer uses.
for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

parser = argparse.ArgumentParser(prog="render_take.py")
parser.add_argument("take")
parser.add_argument("frames")
parser.add_argument("--size", type=int, default=720, help="pixels a side")
parser.add_argument("--engine", default="CYCLES", help="CYCLES, BLENDER_EEVEE (needs a display), BLENDER_WORKBENCH")
parser.add_argument("--samples", type=int, default=16)
parser.add_argument("--fps", type=int, help="frames a second; default: the take's own rate")
parser.add_argument("--first", type=int)
parser.add_argument("--last", type=int)
wanted = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])



def own_rate(path):
    """Frames a second that a GLB of the studio was recorded at; 30 where it does not say."""
    with open(path, "rb") as glb:
        length = struct.unpack("<5I", glb.read(20))[3]
        described = json.loads(glb.read(length))
    animations = described.get("animations", [])
    return round(animations[0].get("extras", {}).get("frameRate", 30)) if animations else 30


bpy.ops.wm.read_homefile(use_empty=True)
scene = bpy.context.scene
if wanted.take.lower().endswith(".fbx"):
    # It says its rate itself.
    bpy.ops.import_scene.fbx(filepath=wanted.take)
    scene.render.fps = wanted.fps or scene.render.fps
else:
    # Before the import, which turns seconds into frames of this rate.
    scene.render.fps = wanted.fps or own_rate(wanted.take)
    bpy.ops.import_scene.gltf(filepath=wanted.take)

meshes = [thing for thing in scene.objects if thing.type == "MESH"]
corners = [thing.matrix_world @ Vector(corner) for thing in meshes for corner in thing.bound_box]
low = Vector([min(corner[axis] for corner in corners) for axis in range(3)])
high = Vector([max(corner[axis] for corner in corners) for axis in range(3)])
middle, height = (low + high) / 2, high.z - low.z

ranges = [tuple(action.frame_range) for action in bpy.data.actions]
if not ranges:
    sys.exit(f"{wanted.take} holds no animation: export the take, not the head alone.")
scene.frame_start = wanted.first or int(math.floor(min(start for start, _ in ranges)))
scene.frame_end = wanted.last or int(math.ceil(max(end for _, end in ranges)))

# The head looks along -Y in Blender. A long lens, from as far as a portrait is taken.
camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
camera.data.lens = 85
camera.location = middle + Vector((0, -height * 2.8, 0))
camera.rotation_euler = (math.pi / 2, 0, 0)
scene.collection.objects.link(camera)
scene.camera = camera


def light(name, place, watts, size):
    lamp = bpy.data.objects.new(name, bpy.data.lights.new(name, "AREA"))
    lamp.data.energy = watts
    lamp.data.size = size
    lamp.location = middle + Vector(place) * height
    lamp.rotation_euler = (middle - lamp.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(lamp)


light("Key", (1.6, -2.2, 1.4), 12, height)
light("Fill", (-2.2, -1.6, 0.3), 5, 2 * height)
light("Rim", (-0.8, 2.2, 1.6), 10, height)

scene.world = bpy.data.worlds.new("World")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.03, 0.035, 0.04, 1)
scene.render.engine = wanted.engine
if wanted.engine == "CYCLES":
    scene.cycles.samples = wanted.samples
    # Debian's is built without the denoiser.
    scene.cycles.use_denoising = False
scene.view_settings.view_transform = "Standard"
scene.render.resolution_x = scene.render.resolution_y = wanted.size
scene.render.image_settings.file_format = "PNG"
scene.render.filepath = wanted.frames.rstrip("/") + "/"
bpy.ops.render.render(animation=True)
print(f"Rendered frames {scene.frame_start} to {scene.frame_end} at {scene.render.fps} a second.")
