import type { Document, Mesh } from '@gltf-transform/core';
import type { BoneName } from '@likeness/proto/heads/bone_names.ts';
import { describeHead, type SourceExpression, vrmOf } from '@likeness/proto/heads/head_json.ts';
import { glbJson } from '../../glb_json.ts';
import { type Bones, bonesOf } from '../../head_bones.ts';
import { decodeHead } from '../../head_file.ts';
import { halfTurn } from '../vrm/matrix.ts';
import { licenceLine, type OwnVrm, ownVrmOf } from '../vrm/own_vrm.ts';

/** A head of any maker, ready for a take, an export or a measurement. */
export interface OpenHead {
  /** It faces +Z, its left at +X; the meshes' extras have the names of its shapes. */
  document: Document;
  /** A VRM's humanoid bones, otherwise the nodes with known names. */
  bones: Bones;
  /** A VRM's own expressions; empty for other files. */
  expressions: readonly HeadExpression[];
  /** Author and licence of a VRM; null for other files. */
  vrm: OwnVrm | null;
}

/** A VRM's own expression of a document. */
export interface HeadExpression extends Omit<SourceExpression, 'binds'> {
  binds: readonly { mesh: Mesh; target: number; weight: number }[];
}

/**
 * Opens a head's file and collects the facts that takes, exports and measurements need.
 *
 * @param glb already checked against the limits (`refuseUnboundedGlb`)
 * @throws Failure `unsupported` if it is too large, `invalid_input` if it can't be decoded
 */
export async function openHead(glb: Uint8Array): Promise<OpenHead> {
  const document = await decodeHead(glb);
  const json = glbJson(glb);
  const { facing, bones, expressions } = describeHead(json);
  const root = document.getRoot();
  const [nodes, meshes] = [root.listNodes(), root.listMeshes()];
  // By number only in a VRM: the scene of the studio's earlier heads has other nodes than their file.
  const isVrm = vrmOf(json) !== null;
  const humanoid = (Object.entries(bones) as [BoneName, number][]).map(([bone, at]) => [bone, nodes[at]!]);
  if (facing === '-Z') turnAround(document);
  const vrm = ownVrmOf(json, (image) => root.listTextures()[image]?.getImage() ?? null);
  // The part of a VRM's licence that a GLB or glTF can hold; a take's head has it too.
  if (vrm) root.getAsset().copyright ??= licenceLine(vrm.meta);
  return {
    document,
    bones: isVrm ? (Object.fromEntries(humanoid) as Bones) : bonesOf(document),
    expressions: expressions.map((one) => ({
      ...one,
      binds: one.binds.map(({ mesh, ...bind }) => ({ ...bind, mesh: meshes[mesh]! })),
    })),
    vrm,
  };
}

/** Rotates everything visible in a head's scenes by half a turn about the vertical. */
function turnAround(document: Document): void {
  for (const scene of document.getRoot().listScenes()) {
    const turn = document.createNode('Front').setMatrix(halfTurn);
    for (const node of scene.listChildren()) {
      // A skinned mesh follows its joints, so it belongs at the scene's root.
      if (!node.getSkin() || node.listChildren().length > 0) turn.addChild(node);
    }
    scene.addChild(turn);
  }
}
