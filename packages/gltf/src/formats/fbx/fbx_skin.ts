import type { mat4 } from '@gltf-transform/core';
import { identity, inUnits, inverted, multiplied } from '../scene/matrix.ts';
import type { Influences } from '../scene/mesh_data.ts';
import type { SceneNode } from '../scene/scene_node.ts';
import { double, int, long, node, packed, text } from './fbx_binary.ts';
import { centimetres } from './fbx_geometry.ts';
import type { FbxObjects } from './fbx_objects.ts';

/** Binds a mesh to its joints, each with the points that it moves. */
export async function addSkin(
  objects: FbxObjects,
  geometry: number,
  { name, mesh, skin, world }: SceneNode,
  models: readonly number[],
): Promise<void> {
  if (!mesh?.influences || !skin) return;
  const deformer = objects.add('Deformer', { name: `${name} skin`, kind: 'Deformer', type: 'Skin' }, [
    node('Version', [int(101)]),
    node('Link_DeformAcuracy', [double(50)]),
  ]);
  objects.connect(deformer, geometry);
  const influencesOfJoint = pointsByJoint(mesh.influences, skin.joints.length);
  for (const [number, joint] of skin.joints.entries()) {
    const { points, weights } = influencesOfJoint[number]!;
    if (points.length === 0) continue;
    const bind = inUnits(skin.binds[number]!, centimetres);
    const cluster = objects.add(
      'Deformer',
      { name: `${name} joint ${number}`, kind: 'SubDeformer', type: 'Cluster' },
      [
        node('Version', [int(100)]),
        node('UserData', [text(''), text('')]),
        node('Indexes', [await packed(Int32Array.from(points))]),
        node('Weights', [await packed(Float64Array.from(weights))]),
        // The bind-time transforms: of the mesh in the joint's space, and of the joint in the scene's space.
        node('Transform', [
          await matrix(multiplied(inverted(bind) ?? identity, inUnits(world, centimetres))),
        ]),
        node('TransformLink', [await matrix(bind)]),
      ],
    );
    objects.connect(cluster, deformer);
    objects.connect(models[joint]!, cluster);
  }
}

function pointsByJoint(
  { width, joints, weights }: Influences,
  count: number,
): { points: number[]; weights: number[] }[] {
  const byJoint = Array.from({ length: count }, () => ({ points: [] as number[], weights: [] as number[] }));
  for (let i = 0; i < weights.length; i++) {
    const by = byJoint[joints[i]!];
    if (!by || !(weights[i]! > 0)) continue;
    const point = Math.floor(i / width);
    // A joint may be named twice for one point.
    if (by.points.at(-1) === point) by.weights[by.weights.length - 1]! += weights[i]!;
    else {
      by.points.push(point);
      by.weights.push(weights[i]!);
    }
  }
  return byJoint;
}

/** Adds the transforms at bind time: importers take the bones' rest pose from here. */
export async function addBindPose(
  objects: FbxObjects,
  sceneNodes: readonly SceneNode[],
  models: readonly number[],
): Promise<void> {
  const binds = new Map<number, mat4>();
  for (const { skin } of sceneNodes)
    for (const [i, joint] of skin?.joints.entries() ?? []) binds.set(joint, skin!.binds[i]!);
  if (binds.size === 0) return;
  const nodes = await Promise.all(
    sceneNodes.map(async ({ world }, joint) =>
      node(
        'PoseNode',
        [],
        [
          node('Node', [long(models[joint]!)]),
          node('Matrix', [await matrix(inUnits(binds.get(joint) ?? world, centimetres))]),
        ],
      ),
    ),
  );
  objects.add('Pose', { name: 'Bind pose', kind: 'Pose', type: 'BindPose' }, [
    node('Type', [text('BindPose')]),
    node('Version', [int(100)]),
    node('NbPoseNodes', [int(nodes.length)]),
    ...nodes,
  ]);
}

const matrix = (values: mat4) => packed(Float64Array.from(values));
