import type { Document } from '@gltf-transform/core';
import { flatScene } from '../scene/flat_scene.ts';
import { Pictures } from '../scene/pictures.ts';
import type { SceneNode } from '../scene/scene_node.ts';
import { bool, double, fbxBytes, int, node, text } from './fbx_binary.ts';
import { degrees } from './fbx_euler.ts';
import { addGeometry, addShapes, centimetres } from './fbx_geometry.ts';
import { fbxHeader } from './fbx_header.ts';
import { FbxMaterials } from './fbx_material.ts';
import { addMotion } from './fbx_motion.ts';
import { enumeration, FbxObjects, integer, number, properties, property } from './fbx_objects.ts';
import { addBindPose, addSkin } from './fbx_skin.ts';

/**
 * A glTF document as binary FBX 7.4: meshes with their material slots, pictures inside, a skeleton, morph
 * targets as blend shapes of the same names, and its animations. Centimetres, Y up, the face along +Z. The
 * same document gives the same bytes.
 *
 * @throws Failure `unsupported` where the document has no triangles, a picture can't be read, or it is over 4
 *   GiB
 *
 * @example
 * const document = await (await gltfIo()).readBinary(glb);
 * await writeFile('head.fbx', await writeFbx(document));
 */
export async function writeFbx(document: Document): Promise<Uint8Array> {
  const scene = flatScene(document);
  const objects = new FbxObjects();
  const materials = new FbxMaterials(objects, new Pictures(), scene.tints);
  const models: number[] = [];
  const channels: number[][] = [];
  for (const sceneNode of scene.nodes) {
    const model = addModel(objects, sceneNode);
    objects.connect(model, sceneNode.parent < 0 ? 0 : models[sceneNode.parent]!);
    models.push(model);
  }
  for (const [index, sceneNode] of scene.nodes.entries()) {
    const { mesh, name, weights } = sceneNode;
    if (!mesh) {
      channels.push([]);
      continue;
    }
    const geometry = await addGeometry(objects, mesh, mesh.name || name);
    objects.connect(geometry, models[index]!);
    for (const material of mesh.materials) objects.connect(await materials.id(material), models[index]!);
    await addSkin(objects, geometry, sceneNode, models);
    channels.push(await addShapes(objects, geometry, { mesh, weights, name }));
  }
  await addBindPose(objects, scene.nodes, models);
  for (const motion of scene.motions)
    await addMotion(objects, motion, { nodes: scene.nodes, models, channels });
  return fbxBytes([
    ...fbxHeader(objects, scene.motions),
    node('Objects', [], objects.nodes),
    node('Connections', [], objects.connections),
    node('Takes', [], [node('Current', [text(scene.motions[0]?.name ?? '')])]),
  ]);
}

const kinds = { bone: 'LimbNode', mesh: 'Mesh', group: 'Null' } as const;

function addModel(objects: FbxObjects, sceneNode: SceneNode): number {
  const { name, kind, translation, rotation, scale } = sceneNode;
  const transform = (property_name: string, values: readonly number[]) =>
    property(property_name, property_name, '', 'A', ...values.map(double));
  const model = objects.add('Model', { name, kind: 'Model', type: kinds[kind] }, [
    node('Version', [int(232)]),
    properties(
      property('RotationActive', 'bool', '', '', int(1)),
      // Scale goes down the tree as a part of the matrix, as in glTF.
      enumeration('InheritType', 1),
      integer('DefaultAttributeIndex', 0),
      transform(
        'Lcl Translation',
        translation.map((value) => value * centimetres),
      ),
      transform('Lcl Rotation', degrees(rotation)),
      transform('Lcl Scaling', scale),
    ),
    node('Shading', [bool(true)]),
    node('Culling', [text('CullingOff')]),
  ]);
  if (kind === 'mesh') return model;
  const type = kinds[kind];
  const attribute = objects.add(
    'NodeAttribute',
    { name, kind: 'NodeAttribute', type },
    kind === 'bone'
      ? [properties(number('Size', 1)), node('TypeFlags', [text('Skeleton')])]
      : [node('TypeFlags', [text('Null')])],
  );
  objects.connect(attribute, model);
  return model;
}
