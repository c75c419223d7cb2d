import type { Document, Material, Mesh, mat4, Node, Skin } from '@gltf-transform/core';
import { t } from '@likeness/messages';
import { glbFailure } from '../../glb_bounds.ts';
import { identity, inverted, multiplied } from './matrix.ts';
import { mergedMesh } from './merged_mesh.ts';
import type { MergedMesh } from './mesh_data.ts';
import { type Motion, motionsOf } from './motion.ts';
import { restMatrix } from './rest_pose.ts';
import type { PlacedSkin, SceneNode } from './scene_node.ts';
import { hasTriangles } from './triangles.ts';
import { valuesOf } from './vertices.ts';

/** A flattened glTF scene for the writers of other formats: Y up, metres, facing +Z. */
export interface FlatScene {
  nodes: SceneNode[];
  motions: Motion[];
  /** Factors moved from vertex colours into the base colours of materials without a picture, linear. */
  tints: ReadonlyMap<Material, readonly [number, number, number]>;
}

/** @throws Failure `unsupported` if the scene has no triangles, or none is readable */
export function flatScene(document: Document): FlatScene {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  const tops = scene?.listChildren() ?? root.listNodes().filter((node) => !node.getParentNode());
  const joints = new Set(root.listSkins().flatMap((skin) => skin.listJoints()));
  const animated = animatedNodes(document);
  const tints = tintsOf(document);
  const names = new Set<string>();
  const nodes: SceneNode[] = [];
  const indexOf = new Map<Node, number>();
  /** The scene nodes whose shapes a glTF node's `weights` drive. */
  const shapeOf = new Map<Node, number>();
  const skinned: { node: Node; mesh: Mesh; skin: Skin }[] = [];

  const visit = (node: Node, parent: number): void => {
    const mesh = node.getMesh();
    const skin = node.getSkin();
    const children = node.listChildren();
    if (mesh && skin) {
      skinned.push({ node, mesh, skin });
      if (children.length === 0 && !joints.has(node)) return;
    }
    const isBone = joints.has(node) || (!mesh && nodes[parent]?.kind === 'bone');
    // A quantised mesh has a dequantising transform on its node, which is not a real transform of the object.
    const isBoxed = mesh !== null && children.length === 0 && !animated.has(node) && isPacked(mesh);
    const solid = mesh && !skin && !isBone ? merged(mesh, isBoxed ? node.getMatrix() : null) : null;
    const index = nodes.length;
    indexOf.set(node, index);
    nodes.push({
      name: unique(node.getName() || mesh?.getName() || 'Node', names),
      kind: isBone ? 'bone' : solid ? 'mesh' : 'group',
      parent,
      translation: isBoxed ? [0, 0, 0] : node.getTranslation(),
      rotation: isBoxed ? [0, 0, 0, 1] : node.getRotation(),
      scale: isBoxed ? [1, 1, 1] : node.getScale(),
      world: isBoxed ? (nodes[parent]?.world ?? identity) : node.getWorldMatrix(),
      mesh: solid,
      weights: weightsOf(node, mesh),
      skin: null,
    });
    if (solid) shapeOf.set(node, index);
    // Importers don't support a bone with a mesh of its own, so the mesh becomes a child of it.
    if (mesh && !skin && isBone) stand(node, mesh, index, null);
    for (const child of children) visit(child, index);
  };

  const merged = (mesh: Mesh, matrix: mat4 | null): MergedMesh | null => mergedMesh(mesh, { matrix, tints });

  const stand = (
    node: Node,
    mesh: Mesh,
    parent: number,
    bound: { skin: PlacedSkin; matrix: mat4 } | null,
  ): void => {
    const solid = merged(mesh, bound?.matrix ?? null);
    if (!solid) return;
    if (bound && solid.influences?.joints.some((joint) => joint >= bound.skin.joints.length))
      throw glbFailure(t('glb.missing_joints'));
    shapeOf.set(node, nodes.length);
    nodes.push({
      name: unique(standName(node.getName() || mesh.getName() || 'Mesh', names), names),
      kind: 'mesh',
      parent,
      translation: [0, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
      world: nodes[parent]?.world ?? identity,
      mesh: solid,
      weights: weightsOf(node, mesh),
      // Joints outside the scene move nothing in it.
      skin: solid.influences && bound && !bound.skin.joints.includes(-1) ? bound.skin : null,
    });
  };

  for (const top of tops) visit(top, -1);
  for (const { node, mesh, skin } of skinned) stand(node, mesh, -1, placedSkin(node, skin, indexOf));
  if (!nodes.some(({ mesh }) => mesh)) throw glbFailure(t('glb.no_triangles'));
  return { nodes, motions: motionsOf(document, indexOf, shapeOf, nodes), tints };
}

/**
 * Bones keep their names, by which rigs find them; a mesh with the same name gets a suffix.
 */
const standName = (wanted: string, names: ReadonlySet<string>): string =>
  names.has(wanted) ? `${wanted}_mesh` : wanted;

/** Makes a name that is unique in the scene and readable by every importer. */
function unique(wanted: string, names: Set<string>): string {
  // FBX splits its names at a zero byte.
  const plain = wanted.replace(/\p{Cc}+/gu, ' ').trim() || 'Node';
  let name = plain;
  for (let number = 2; names.has(name); number++) name = `${plain}_${number}`;
  names.add(name);
  return name;
}

const weightsOf = (node: Node, mesh: Mesh | null): number[] =>
  node.getWeights().length > 0 ? node.getWeights() : (mesh?.getWeights() ?? []);

const animatedNodes = (document: Document): Set<Node | null> =>
  new Set(
    document
      .getRoot()
      .listAnimations()
      .flatMap((animation) => animation.listChannels())
      .filter((channel) => channel.getTargetPath() !== 'weights')
      .map((channel) => channel.getTargetNode()),
  );

const isPacked = (mesh: Mesh): boolean =>
  mesh
    .listPrimitives()
    .some((primitive) => !(primitive.getAttribute('POSITION')?.getArray() instanceof Float32Array));

/**
 * Returns the joints' transforms at bind time, and the matrix that brings the mesh's points there. Both
 * follow from the inverse bind matrices, relative to the one joint that is still in its bind pose.
 */
function placedSkin(
  node: Node,
  skin: Skin,
  indexOf: ReadonlyMap<Node, number>,
): { skin: PlacedSkin; matrix: mat4 } {
  const joints = skin.listJoints();
  const accessor = skin.getInverseBindMatrices();
  const values = accessor ? valuesOf(accessor, 16, joints.length) : null;
  const inverse = (i: number): mat4 =>
    values ? ([...values.subarray(i * 16, i * 16 + 16)] as mat4) : identity;
  const matrix = restMatrix(node);
  return {
    matrix,
    skin: {
      joints: joints.map((joint) => indexOf.get(joint) ?? -1),
      binds: joints.map((joint, i) => {
        const back = inverted(inverse(i));
        return back ? multiplied(matrix, back) : joint.getWorldMatrix();
      }),
    },
  };
}

/**
 * The brightest vertex colour of each material that has colours and no picture. Importers that know nothing
 * of vertex colours would show teeth and gums white: the base colour takes this much of it, and the colours
 * what is left.
 */
function tintsOf(document: Document): Map<Material, readonly [number, number, number]> {
  const tints = new Map<Material, [number, number, number]>();
  const without = new Set<Material | null>();
  for (const mesh of document.getRoot().listMeshes()) {
    for (const primitive of mesh.listPrimitives()) {
      const material = primitive.getMaterial();
      const colors = primitive.getAttribute('COLOR_0');
      if (!material || !colors || material.getBaseColorTexture() || !hasTriangles(primitive)) {
        without.add(material);
        continue;
      }
      const tint = tints.get(material) ?? [0, 0, 0];
      const values = valuesOf(colors, 4);
      for (let i = 0; i < values.length; i++)
        if (i % 4 < 3) tint[i % 4] = Math.max(tint[i % 4]!, Math.min(1, values[i]!));
      tints.set(material, tint);
    }
  }
  for (const material of without) if (material) tints.delete(material);
  return tints;
}
