import type { Document, Material, Mesh, Node, Primitive } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import { dequantizePrimitive } from '@gltf-transform/functions';
import { assembleHead, followHead, nameTexture, type Point } from './head_scene.ts';
import { morphNormals } from './morph_normals.ts';
import { addTargets, moveOfAll, setTargetNames, withoutFaint } from './morph_targets.ts';

/**
 * Materials by mesh in heads up to `portrait-11`, in which all parts of the mouth shared one.
 */
const materialNames: Readonly<Record<string, string>> = {
  Gums: 'Gums',
  Tongue: 'Tongue',
  MouthBag: 'MouthInside',
  LidMargins: 'EyelidMargins',
  LeftLashes: 'Eyelashes',
  RightLashes: 'Eyelashes',
  LeftEyeball: 'EyeLeft',
  RightEyeball: 'EyeRight',
};

/** Whether nodes with these names are those of a head written by an engine up to `portrait-11`. */
export const isOldScene = (names: readonly (string | undefined)[]): boolean =>
  ['Skin', 'Teeth', 'Neck', 'Head', 'LeftEye', 'RightEye'].every((name) => names.includes(name)) &&
  !names.includes('EyeLeft');

/**
 * Converts a head written by an engine up to `portrait-11` (one mesh per part) to today's scene; leaves
 * others as they are.
 */
export function modernise(document: Document): void {
  const root = document.getRoot();
  const nodes = root.listNodes();
  if (!isOldScene(nodes.map((node) => node.getName()))) return;
  const named = (name: string): Node => nodes.find((node) => node.getName() === name)!;
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  const eyes = [named('LeftEye'), named('RightEye')] as const;
  // Another program's head may use the same names for other things.
  if (!scene || !named('Skin').getSkin() || [named('Head'), ...eyes].some((node) => node.getMesh())) return;

  const parts = { head: document.createMesh(), hair: document.createMesh() };
  const balls = { left: document.createMesh(), right: document.createMesh() };
  for (const node of nodes) {
    const mesh = node.getMesh();
    if (!mesh) continue;
    const name = node.getName();
    layOpen(node, mesh);
    const into =
      node.getParentNode() === eyes[0]
        ? balls.left
        : node.getParentNode() === eyes[1]
          ? balls.right
          : name === 'Hair'
            ? parts.hair
            : parts.head;
    for (const primitive of mesh.listPrimitives()) {
      wear(document, primitive, name);
      // Parts of the mouth hung on the joint; their vertices lie about the neck's base like the skin's.
      if (into === parts.head && !node.getSkin()) followHead(document, primitive);
      mesh.removePrimitive(primitive);
      into.addPrimitive(primitive);
      if (into === parts.hair) for (const target of primitive.listTargets()) target.dispose();
    }
    const names = mesh.getExtras().targetNames;
    if (into !== parts.hair && Array.isArray(names)) into.setExtras({ targetNames: names });
  }
  document.createExtension(EXTMeshoptCompression).dispose();
  document.createExtension(KHRMeshQuantization).dispose();
  shapes(document, parts.head, true);
  shapes(document, balls.left, false);
  shapes(document, balls.right, false);
  const positionOf = (node: Node): Point => node.getWorldTranslation() as Point;
  const pivots = {
    headPivot: positionOf(named('Head')),
    leftEye: positionOf(eyes[0]),
    rightEye: positionOf(eyes[1]),
  };
  const old = root.listSkins();
  for (const one of old) one.getInverseBindMatrices()?.dispose();
  for (const one of [...old, ...nodes]) one.dispose();
  for (const mesh of root.listMeshes()) if (mesh.listPrimitives().length === 0) mesh.dispose();
  scene.setName('Likeness');
  const filled = (mesh: Mesh): Mesh | null => (mesh.isDisposed() ? null : mesh);
  assembleHead(document, scene, {
    ...pivots,
    head: parts.head,
    hair: filled(parts.hair),
    eyes: { left: filled(balls.left), right: filled(balls.right) },
  });
  for (const material of root.listMaterials()) {
    if (material.listParents().length === 1) material.dispose();
    else nameTexture(material);
  }
  for (const accessor of root.listAccessors()) if (accessor.listParents().length === 1) accessor.dispose();
}

/**
 * Moves a mesh's vertices to be relative to its joint or the neck's base; a quantised file has this in
 * matrices.
 */
function layOpen(node: Node, mesh: Mesh): void {
  const skin = node.getSkin();
  const isEye = /Eye$/.test(node.getParentNode()?.getName() ?? '');
  const matrix = isEye ? node.getMatrix() : node.getWorldMatrix();
  if (skin) {
    // The rest position of its vertices is joint × inverse bind matrix: here a scale and a translation.
    const [joint] = skin.listJoints();
    const inverse = skin.getInverseBindMatrices()!.getElement(0, []);
    const at = joint!.getWorldTranslation();
    for (const [n, value] of inverse.entries()) matrix[n] = value + (n >= 12 && n < 15 ? at[n - 12]! : 0);
  }
  if (matrix.every((value, n) => Math.abs(value - (n % 5 === 0 ? 1 : 0)) < 1e-6)) return;
  for (const primitive of mesh.listPrimitives()) {
    dequantizePrimitive(primitive, { pattern: /^(POSITION|NORMAL|TEXCOORD_)/ });
    // There is only scale and translation; morph targets are offsets, so they are only scaled.
    for (const one of [primitive, ...primitive.listTargets()]) {
      const values = one.getAttribute('POSITION')!.getArray()!;
      for (let i = 0; i < values.length; i++)
        values[i] = values[i]! * matrix[5 * (i % 3)]! + (one === primitive ? matrix[12 + (i % 3)]! : 0);
    }
  }
}

/** Gives a primitive a material of its part's name; the mouth's parts shared one. */
function wear(document: Document, primitive: Primitive, part: string): void {
  const material = primitive.getMaterial();
  if (!material?.getBaseColorTexture()) primitive.setAttribute('TEXCOORD_0', null);
  const name = materialNames[part];
  if (!material || !name || material.getName() === name) return;
  const known = document
    .getRoot()
    .listMaterials()
    .find((one) => one.getName() === name);
  const own: Material = known ?? material.clone().setName(name);
  primitive.setMaterial(own);
}

/**
 * Rebuilds a mesh's targets: those that move nothing share one accessor. Keeps `all` names, or only those
 * that move it.
 */
function shapes(document: Document, mesh: Mesh, all: boolean): void {
  const names = (mesh.getExtras().targetNames ?? []) as string[];
  const moves = mesh.listPrimitives().map((primitive) =>
    names.map((_, number) => {
      const values = primitive.listTargets()[number]?.getAttribute('POSITION')?.getArray();
      const left = values && withoutFaint(Float32Array.from(values));
      return left ? moveOfAll(left, values.length / 3) : undefined;
    }),
  );
  const kept = names.map((_, n) => n).filter((n) => all || moves.some((own) => own[n]));
  for (const [at, primitive] of mesh.listPrimitives().entries()) {
    for (const target of primitive.listTargets()) target.dispose();
    const kinds = { names: kept.map((n) => names[n]!), moves: kept.map((n) => moves[at]![n]) };
    addTargets(document, primitive, kinds.moves, turnsOf(primitive, kinds));
  }
  if (kept.length)
    setTargetNames(
      mesh,
      kept.map((n) => names[n]!),
    ).setWeights(kept.map(() => 0));
}

/** Adds the normals of the skin's morph targets, as today's heads have them. */
function turnsOf(
  primitive: Primitive,
  kinds: { names: string[]; moves: (Float32Array | undefined)[] },
): (Float32Array | undefined)[] {
  const points = primitive.getAttribute('POSITION')?.getArray();
  const triangles = primitive.getIndices()?.getArray();
  if (primitive.getMaterial()?.getName() !== 'Skin' || !points || !triangles) return [];
  return morphNormals({ points, triangles, ...kinds });
}
