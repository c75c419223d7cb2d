import { identity } from '../scene/matrix.ts';
import type { MergedMesh } from '../scene/mesh_data.ts';
import type { SceneNode } from '../scene/scene_node.ts';
import { bounds } from '../scene/vertices.ts';
import type { UsdMaterials } from './usd_material.ts';
import { uvName } from './usd_material.ts';
import {
  decimals,
  identifier,
  list,
  matrixText,
  quoted,
  type Rounding,
  tuples,
  type UsdText,
} from './usd_text.ts';

interface MeshTarget {
  /** Path of the mesh's prim. */
  path: string;
  skeleton: string;
  animation: string;
  /** Joint paths of the skeleton, by place. */
  joints: readonly string[];
  /** The name by which the skeleton's animation drives each target. */
  shapes: readonly string[];
  materials: UsdMaterials;
}

/** Writes a mesh with its shapes, bound to the skeleton: by its own weights, or as a whole to its node. */
export function writeMesh(usd: UsdText, node: SceneNode, index: number, target: MeshTarget): void {
  const mesh = node.mesh!;
  const near = precision(mesh);
  const many = mesh.materials.length > 1;
  const apis = ['SkelBindingAPI', 'MaterialBindingAPI'].map(quoted);
  usd.line(`def Mesh ${quoted(target.path.split('/').at(-1)!)} (`);
  usd.line(`  prepend apiSchemas = ${list(apis)}`);
  usd.block(')', () => {
    usd.line(`uniform bool doubleSided = ${mesh.materials.some((one) => one?.getDoubleSided()) ? 1 : 0}`);
    usd.line('uniform token subdivisionScheme = "none"');
    usd.line('uniform token orientation = "rightHanded"');
    usd.line(`float3[] extent = ${tuples(bounds(mesh.positions).flat(), 3, near)}`);
    usd.line(`point3f[] points = ${tuples(mesh.positions, 3, near)}`);
    usd.line(`normal3f[] normals = ${tuples(mesh.normals, 3, decimals(4))} (interpolation = "vertex")`);
    usd.line(`int[] faceVertexCounts = ${list(new Uint8Array(mesh.slots.length).fill(3))}`);
    usd.line(`int[] faceVertexIndices = ${list(mesh.corners)}`);
    for (const [set, uvs] of mesh.uvs.entries()) {
      const name = `primvars:${uvName(set)}`;
      const upwards = uvs.map((value, i) => (i % 2 === 1 ? 1 - value : value));
      usd.line(`texCoord2f[] ${name} = ${tuples(upwards, 2, decimals(6))} (interpolation = "faceVarying")`);
      usd.line(`int[] ${name}:indices = ${list(mesh.rows)}`);
    }
    writeBinding(usd, node, index, target);
    if (!many) usd.line(`rel material:binding = <${target.materials.path(mesh.materials[0]!)}>`);
    else writeSlots(usd, mesh, target.materials);
    writeShapes(usd, mesh, target, near);
  });
}

function writeBinding(
  usd: UsdText,
  { mesh, skin, world }: SceneNode,
  index: number,
  target: MeshTarget,
): void {
  usd.line(`rel skel:skeleton = <${target.skeleton}>`);
  // The skeleton has it already; Apple's viewers also need it on each mesh.
  usd.line(`rel skel:animationSource = <${target.animation}>`);
  const influences = skin ? mesh!.influences : null;
  const boundJoints = influences && skin ? skin.joints : [index];
  usd.line(
    `uniform token[] skel:joints = ${list(boundJoints.map((joint) => quoted(target.joints[joint]!)))}`,
  );
  const count = mesh!.positions.length / 3;
  const width = influences?.width ?? 1;
  const how = `(\n  elementSize = ${width}\n  interpolation = "vertex"\n)`;
  const joints = influences?.joints ?? new Uint16Array(count);
  const weights = influences?.weights ?? new Float32Array(count).fill(1);
  usd.line(`int[] primvars:skel:jointIndices = ${list(joints)} ${how}`);
  usd.line(`float[] primvars:skel:jointWeights = ${tuples(weights, 1, decimals(5))} ${how}`);
  usd.line(`matrix4d primvars:skel:geomBindTransform = ${matrixText(skin ? identity : world)}`);
}

function writeSlots(usd: UsdText, mesh: MergedMesh, materials: UsdMaterials): void {
  usd.line('uniform token subsetFamily:materialBind:familyType = "partition"');
  const names = new Set<string>();
  for (const [slot, material] of mesh.materials.entries()) {
    const faces = [...mesh.slots.keys()].filter((face) => mesh.slots[face] === slot);
    usd.line(`def GeomSubset ${quoted(identifier(`slot_${material?.getName() || slot}`, names))} (`);
    usd.line('  prepend apiSchemas = ["MaterialBindingAPI"]');
    usd.block(')', () => {
      usd.line('uniform token elementType = "face"');
      usd.line('uniform token familyName = "materialBind"');
      usd.line(`int[] indices = ${list(faces)}`);
      usd.line(`rel material:binding = <${materials.path(material)}>`);
    });
  }
}

function writeShapes(usd: UsdText, mesh: MergedMesh, { path, shapes }: MeshTarget, near: Rounding): void {
  if (mesh.targets.length === 0) return;
  const taken = new Set<string>();
  const prims = mesh.targets.map((_, number) => identifier(shapes[number]!, taken));
  usd.line(`uniform token[] skel:blendShapes = ${list(shapes.map(quoted))}`);
  usd.line(`rel skel:blendShapeTargets = ${list(prims.map((prim) => `<${path}/${prim}>`))}`);
  for (const [number, { points, offsets, normals }] of mesh.targets.entries()) {
    usd.block(`def BlendShape ${quoted(prims[number]!)}`, () => {
      // Readers take a shape without points for one of all points.
      const isEmpty = points.length === 0;
      usd.line(`uniform vector3f[] offsets = ${isEmpty ? '[(0, 0, 0)]' : tuples(offsets, 3, near)}`);
      const turns = normals && !isEmpty ? tuples(normals, 3, decimals(4)) : null;
      if (turns) usd.line(`uniform vector3f[] normalOffsets = ${turns}`);
      usd.line(`uniform int[] pointIndices = ${isEmpty ? '[0]' : list(points)}`);
    });
  }
}

/** Decimals for a millionth of the mesh's size: a head's are micrometres. */
function precision(mesh: MergedMesh): Rounding {
  const [low, high] = bounds(mesh.positions);
  const size = Math.hypot(...high.map((value, k) => value - low[k]!));
  return decimals(Math.min(15, Math.max(0, Math.round(6 - Math.log10(size || 1)))));
}
