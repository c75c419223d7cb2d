import {
  Document,
  Logger,
  type Mesh,
  type Node,
  type Root,
  type Scene,
  type Texture,
} from '@gltf-transform/core';
import {
  EXTMeshoptCompression,
  EXTTextureAVIF,
  EXTTextureWebP,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
  KHRTextureBasisu,
} from '@gltf-transform/extensions';
import { createDefaultPropertyResolver, dequantize, mergeDocuments } from '@gltf-transform/functions';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { BoneName } from '@likeness/proto/heads/bone_names.ts';
import type { VRM } from '@pixiv/types-vrm-0.0';
import type { VRMCVRM } from '@pixiv/types-vrmc-vrm-1.0';
import sharp from 'sharp';
import { type Bones, bonesOf } from '../../head_bones.ts';
import { unpackPictures } from '../../head_file.ts';
import { makeLean } from '../../lean_document.ts';
import type { HeadExpression } from '../head/open_head.ts';
import { builtInTables, vrm0Clips } from '../names/built_in_tables.ts';
import { nodesOf, shapesOf } from '../names/head_shapes.ts';
import { type NamePlan, planNames } from '../names/name_table.ts';
import { clipName, expressionsOf, type VrmExpression } from './expressions.ts';
import { placeBody } from './place_body.ts';
import { type FileIndices, Vrm0, VrmcVrm, vrmIo } from './vrm_extensions.ts';
import { meta0, meta1, type VrmMeta } from './vrm_meta.ts';

export interface VrmOptions {
  version: '1.0' | '0.x';
  meta: VrmMeta;
  /** The bones of the head's nodes; default: found by the nodes' names. */
  bones?: Bones;
  /** The expressions of a head that is a VRM. */
  expressions?: readonly HeadExpression[];
}

/** The parts of a VRM, ready to be written. */
interface Avatar {
  document: Document;
  bones: Bones;
  expressions: readonly VrmExpression[];
  meta: VrmMeta;
  thumbnail: Texture | null;
}

/**
 * Maximum rotation of the eyes, degrees, sideways and up or down. Within this range they turn fully towards
 * their target.
 */
const gazeRange = { sideways: 30, upwards: 25, downwards: 25 } as const;
/** Maximum side length of a thumbnail, pixels. */
const thumbnailSide = 1024;

/**
 * Writes a head as VRM: on a humanoid skeleton, with VRM's expressions, its own shapes, eye bones for the
 * gaze, and its permissions.
 *
 * @param document - A head facing +Z with its left at +X, in metres. It is not changed.
 * @throws Failure `unsupported`: nothing visible, no face shapes, or pictures that VRM doesn't allow
 */
export async function writeVrm(
  document: Document,
  { version, meta, bones: found = bonesOf(document), expressions: own = [] }: VrmOptions,
): Promise<Uint8Array> {
  if (shapesOf(document).length === 0) {
    throw new Failure('unsupported', t('vrm.no_shapes'), {
      hint: t('vrm.choose_with_shapes'),
    });
  }
  const copy = new Document().setLogger(new Logger(Logger.Verbosity.ERROR));
  const counterpart = createDefaultPropertyResolver(copy, document);
  mergeDocuments(copy, document, counterpart);
  copy.getRoot().copy(document.getRoot(), counterpart as Parameters<Root['copy']>[1]);
  const scene = bareScene(copy);
  await withoutPacking(copy);
  const copied = Object.entries(found).map(([bone, node]) => [bone, counterpart(node) as Node] as const);
  const inScene = copied.filter(([, node]) => !node.isDisposed());
  const bones = placeBody(copy, scene, version === '1.0' ? '+Z' : '-Z', Object.fromEntries(inScene) as Bones);
  const ownExpressions = own.map((one) => ({
    ...one,
    binds: one.binds.map((bind) => ({ ...bind, mesh: counterpart(bind.mesh) as Mesh })),
  }));
  const expressions = expressionsOf(copy, bones, ownExpressions);
  const thumbnail = meta.thumbnail ? await pictureOf(copy, meta.thumbnail) : null;
  makeLean(copy);
  const avatar = { document: copy, bones, expressions, meta, thumbnail };
  if (version === '1.0') copy.createExtension(VrmcVrm<VRMCVRM>).describe((at) => vrm1(avatar, at));
  else copy.createExtension(Vrm0<VRM>).describe((at) => vrm0(avatar, at));
  return vrmIo().writeBinary(copy);
}

/** Returns the VRM expressions that a head can make, and those whose shapes it lacks. */
export function vrmPlan(document: Document, own: readonly HeadExpression[] = []): NamePlan {
  const plan = planNames(shapesOf(document), { id: 'vrm', rows: builtInTables.vrm });
  const bound = new Set(own.flatMap(({ name, binds }) => (binds.length > 0 ? [name] : [])));
  return { ...plan, missing: plan.missing.filter(({ name }) => !bound.has(name)) };
}

/** Leaves a single scene with the parts that VRM uses; animations go, because a VRM moves by expressions. */
function bareScene(document: Document): Scene {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  if (!scene) {
    throw new Failure('unsupported', t('vrm.no_scene'), {
      hint: t('vrm.export_anew'),
    });
  }
  for (const animation of root.listAnimations()) {
    for (const part of [...animation.listChannels(), ...animation.listSamplers()]) part.dispose();
    animation.dispose();
  }
  for (const camera of root.listCameras()) camera.dispose();
  for (const other of root.listScenes()) if (other !== scene) other.dispose();
  const shown = new Set<unknown>();
  scene.traverse((node) => {
    shown.add(node);
  });
  for (const node of root.listNodes()) if (!shown.has(node)) node.dispose();
  // An unused picture, such as the thumbnail of the source VRM.
  for (const picture of root.listTextures()) if (picture.listParents().length === 1) picture.dispose();
  root.setDefaultScene(scene);
  return scene;
}

/** VRM's importers read plain floats and PNG or JPEG (VRM 1.0, “glTF schema updates”). */
async function withoutPacking(document: Document): Promise<void> {
  const used = new Map(
    document
      .getRoot()
      .listExtensionsUsed()
      .map((extension) => [extension.extensionName, extension]),
  );
  if (used.has(KHRTextureBasisu.EXTENSION_NAME)) {
    throw new Failure('unsupported', t('vrm.ktx2'), {
      hint: t('vrm.png_or_jpeg'),
    });
  }
  if (used.has(KHRMeshQuantization.EXTENSION_NAME)) await document.transform(dequantize());
  await unpackPictures(document);
  for (const packing of [
    EXTMeshoptCompression,
    KHRDracoMeshCompression,
    KHRMeshQuantization,
    EXTTextureWebP,
    EXTTextureAVIF,
  ]) {
    used.get(packing.EXTENSION_NAME)?.dispose();
  }
}

async function pictureOf(document: Document, picture: Uint8Array): Promise<Texture> {
  const png = await sharp(picture)
    .resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
    .catch((error: unknown) => {
      throw new Failure('unsupported', t('vrm.picture_unreadable'), { cause: error });
    });
  return document.createTexture('Thumbnail').setMimeType('image/png').setImage(new Uint8Array(png));
}

/** From the head's bone to the middle between the eyes, metres. */
function betweenEyes({ head, leftEye, rightEye }: Bones): [number, number, number] {
  const eyes = [leftEye, rightEye].filter((bone) => bone !== undefined);
  if (!head || eyes.length === 0) return [0, 0.06, 0];
  const from = head.getWorldTranslation();
  return [0, 1, 2].map(
    (axis) =>
      eyes.reduce((sum, eye) => sum + eye.getWorldTranslation()[axis]!, 0) / eyes.length - from[axis]!,
  ) as [number, number, number];
}

const boneEntries = (bones: Bones): [BoneName, NonNullable<Bones[BoneName]>][] =>
  (Object.entries(bones) as [BoneName, Bones[BoneName]][]).flatMap(([name, node]) =>
    node ? [[name, node]] : [],
  );
const hasEyes = ({ leftEye, rightEye }: Bones): boolean => leftEye !== undefined && rightEye !== undefined;

function vrm1({ document, bones, expressions, meta, thumbnail }: Avatar, at: FileIndices): VRMCVRM {
  const bound = (expression: VrmExpression) => ({
    morphTargetBinds: expression.binds.map(({ node, index, weight }) => ({
      node: at.node(node),
      index,
      weight,
    })),
    isBinary: expression.isBinary,
    overrideBlink: expression.overrideBlink,
    overrideLookAt: expression.overrideLookAt,
    overrideMouth: expression.overrideMouth,
  });
  const of = (isPreset: boolean) =>
    Object.fromEntries(
      expressions.flatMap((one) => ((one.preset !== null) === isPreset ? [[one.name, bound(one)]] : [])),
    );
  const range = (degrees: number) => ({ inputMaxValue: degrees, outputScale: hasEyes(bones) ? degrees : 1 });
  return {
    specVersion: '1.0',
    meta: meta1(meta, thumbnail && at.image(thumbnail)),
    humanoid: {
      humanBones: Object.fromEntries(
        boneEntries(bones).map(([name, node]) => [name, { node: at.node(node) }]),
      ),
    },
    // All meshes belong to the head, so first person shows none.
    firstPerson: {
      meshAnnotations: document
        .getRoot()
        .listMeshes()
        .flatMap(nodesOf)
        .map((node) => ({ node: at.node(node), type: 'thirdPersonOnly' as const })),
    },
    lookAt: {
      type: hasEyes(bones) ? 'bone' : 'expression',
      offsetFromHeadBone: betweenEyes(bones),
      rangeMapHorizontalInner: range(gazeRange.sideways),
      rangeMapHorizontalOuter: range(gazeRange.sideways),
      rangeMapVerticalDown: range(gazeRange.downwards),
      rangeMapVerticalUp: range(gazeRange.upwards),
    },
    expressions: {
      preset: of(true),
      custom: of(false) as NonNullable<VRMCVRM['expressions']>['custom'] & object,
    },
  };
}

/** Other names of presets in 0.x. */
const presets0: Readonly<Record<string, string>> = {
  aa: 'a',
  ih: 'i',
  ou: 'u',
  ee: 'e',
  oh: 'o',
  blinkLeft: 'blink_l',
  blinkRight: 'blink_r',
  happy: 'joy',
  sad: 'sorrow',
  relaxed: 'fun',
  surprised: 'unknown',
};

function vrm0({ document, bones, expressions, meta, thumbnail }: Avatar, at: FileIndices): VRM {
  const [x, y, z] = betweenEyes(bones);
  const map = (degrees: number) => ({
    curve: [0, 0, 0, 1, 1, 1, 1, 0],
    xRange: degrees,
    yRange: hasEyes(bones) ? degrees : 1,
  });
  const root = document.getRoot();
  // Programs look clips up by name: a shape of a head's own that is called `A` gives way to VRM's.
  const clips = new Set<string>(Object.values(vrm0Clips));
  const own = expressions.filter(({ name, preset }) => preset !== null || !clips.has(clipName(name)));
  return {
    exporterVersion: 'Likeness Studio',
    specVersion: '0.0',
    meta: meta0(meta, thumbnail && at.texture(thumbnail)),
    humanoid: {
      humanBones: boneEntries(bones).map(([bone, node]) => ({
        bone,
        node: at.node(node),
        useDefaultValues: true,
      })),
      armStretch: 0.05,
      legStretch: 0.05,
      upperArmTwist: 0.5,
      lowerArmTwist: 0.5,
      upperLegTwist: 0.5,
      lowerLegTwist: 0.5,
      feetSpacing: 0,
      hasTranslationDoF: false,
    },
    firstPerson: {
      firstPersonBone: at.node(bones.head!),
      // Unity's space, in which the head looks along +Z.
      firstPersonBoneOffset: { x, y, z: -z },
      meshAnnotations: root
        .listMeshes()
        .map((mesh) => ({ mesh: at.mesh(mesh), firstPersonFlag: 'ThirdPersonOnly' })),
      lookAtTypeName: hasEyes(bones) ? 'Bone' : 'BlendShape',
      lookAtHorizontalInner: map(gazeRange.sideways),
      lookAtHorizontalOuter: map(gazeRange.sideways),
      lookAtVerticalDown: map(gazeRange.downwards),
      lookAtVerticalUp: map(gazeRange.upwards),
    },
    blendShapeMaster: {
      blendShapeGroups: own.map(({ name, preset, binds, isBinary }) => ({
        name: preset ? vrm0Clips[preset] : clipName(name),
        presetName: (preset ? (presets0[preset] ?? preset.toLowerCase()) : 'unknown') as 'unknown',
        binds: binds.map(({ mesh, index, weight }) => ({ mesh: at.mesh(mesh), index, weight: weight * 100 })),
        materialValues: [],
        isBinary,
      })),
    },
    secondaryAnimation: { boneGroups: [], colliderGroups: [] },
    // Materials are glTF's own.
    materialProperties: root.listMaterials().map((material) => ({
      name: material.getName(),
      renderQueue: material.getAlphaMode() === 'BLEND' ? 3000 : 2000,
      shader: 'VRM_USE_GLTFSHADER',
      floatProperties: {},
      vectorProperties: {},
      textureProperties: {},
      keywordMap: {},
      tagMap: {},
    })),
  };
}
