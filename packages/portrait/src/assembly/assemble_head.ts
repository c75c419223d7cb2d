import { smoothstep, subtract, type Vector } from '@likeness/geometry/vector.ts';
import type { Appearance, AssembledSkin } from '../appearance/appearance.ts';
import type { HeadModel, Raster, Surface } from '../contract/head_model.ts';
import type { Sex } from '../contract/head_request.ts';
import { buildExpressions } from '../expressions/expressions.ts';
import { photoExpression } from '../expressions/photo_expression.ts';
import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import { strandPicture } from '../hair/strands/strand_picture.ts';
import { buildEar, makeRoomForEars, tuckBehindEars } from '../parts/ears.ts';
import { type EyelidType, shapeEyelids } from '../parts/eyelid.ts';
import { buildEyelashes, paintLashes } from '../parts/lashes.ts';
import { buildLidMargins } from '../parts/lid_margins.ts';
import { defaultEnamel } from '../parts/tooth_colour.ts';
import { skinPatches, skinVertexOf } from '../skull/skin_patches.ts';
import { buildCranium, type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import { skinRoughness } from '../texture/skin_gloss.ts';
import { skinLight } from '../texture/skin_light.ts';
import { skinNormals } from '../texture/skin_normals.ts';
import { canvasBytes } from '../texture/skin_texture.ts';
import { fineFace } from '../topology/fine_face.ts';
import { assembleSkin, colourAt, withBothEars } from './assemble_skin.ts';
import { fineDelta, liftOffEyes, targetNames, withVisemes } from './displacements.ts';
import { eyeSurfaces } from './eye_surfaces.ts';
import { hairInside, hairSurface, ribbonSurface } from './hair_surfaces.ts';
import { headMaterials, material, textureOrder } from './head_materials.ts';
import { mouthSurfaces, partSurface } from './mouth_surfaces.ts';

export interface HeadInput {
  readonly fit: FaceFit;
  readonly sex: Sex;
  readonly eyelidType?: EyelidType;
  readonly appearance: Appearance;
  readonly extras: Record<string, unknown>;
  readonly stage?: (name: string) => void;
}

/** The hair's picture of a bald head. */
const noHair: Raster = { name: 'Hair', width: 1, height: 1, channels: 3, data: new Uint8Array(3) };
/** Side of an eye's texture, pixels. */
const eyeSize = 256;
/** Where the head turns on the neck, metres in the face frame: between the ears, below and behind them. */
const headPivot: Vector = [0, -0.035, -0.03];

/** Builds the whole head from a fitted face and what it wears. */
export function buildHead(input: HeadInput): HeadModel {
  const { fit, sex, appearance } = input;
  const stage = input.stage ?? (() => {});
  const fine = fineFace.refine(fit.neutral, 3);
  if (input.eyelidType) shapeEyelids(fine, input.eyelidType);
  liftOffEyes(fine, fit);
  const photo = fineFace.refine(fit.photo, 2);
  const cranium = buildCranium(fit.neutral, fine, sex);
  const hair = appearance.buildHair(cranium);
  const ear = buildEar(fit, cranium, hair, sex, appearance.beside);
  tuckBehindEars(hair, ear);
  makeRoomForEars(cranium, ear);
  stage('loft');

  const base = cranium.neckBase;
  const toBase = (points: Float32Array): Float32Array => points.map((v, i) => v - base[i % 3]);
  const expressions = buildExpressions(fit);
  const fineDeltas = expressions.map((expression) => fineDelta(expression, fit, fine));
  stage('shapes');

  const skin = assembleSkin(fit, fine, photo, cranium, ear, fineDeltas);
  const skinTexture: Raster = {
    name: 'Skin',
    width: appearance.skinSize,
    height: appearance.skinSize,
    channels: 3,
    // Not kept in a variable: the canvas is the largest object here, and only its bytes are needed.
    data: withBothEars(
      canvasBytes(appearance.paintSkin(skin, cranium, hair, appearance.skinSize)),
      appearance.skinSize,
    ),
    quality: 86,
  };
  const light = skinLight(skinTexture);
  stage('bake');
  const hairTexture = hair.triangles.length
    ? appearance.paintHair(hair, appearance.hairSize, { ...skin, texture: skinTexture })
    : noHair;
  stage('hair');
  const ribbons = hair.triangles.length ? hair.ribbons : undefined;
  const inside = hairInside(hair, cranium, toBase(hair.points));
  const textures = {
    Skin: skinTexture,
    EyeLeft: appearance.paintEye('left', eyeSize),
    Eyelashes: paintLashes(sex),
    Hair: hairTexture,
    EyeRight: appearance.paintEye('right', eyeSize),
    SkinRoughness: skinRoughness(light, skin.uv),
    SkinNormals: skinNormals(light, { ...skin, shown: reliefShown(skin, fit) }),
    HairStrands: strandPicture(),
  };

  const margins = buildLidMargins(fine, fit, fineDeltas, (i) => colourAt(skinTexture, skin.uv, i));
  const leftLashes = buildEyelashes(fine, fit, 'left', sex, fineDeltas);
  const rightLashes = buildEyelashes(fine, fit, 'right', sex, fineDeltas);
  const surfaces: Surface[] = [
    {
      name: 'Skin',
      material: material('Skin'),
      node: 'skin',
      points: toBase(skin.points),
      normals: skin.normals,
      uv: skin.uv,
      triangles: skin.triangles,
      patches: skinPatches,
      morphs: withVisemes(skin.deltas),
      headShare: skin.headShare,
      ...(ribbons ? { covered: coveredBy(hair, cranium, skin.points.length / 3) } : {}),
    },
    ...(hair.triangles.length ? [hairSurface(hair, skin, toBase(hair.points))] : []),
    ...(inside ? [inside] : []),
    ...(ribbons ? [ribbonSurface(ribbons, toBase(ribbons.points), hairTexture)] : []),
    ...mouthSurfaces(
      fit,
      fine,
      fineDeltas,
      expressions,
      toBase,
      appearance.enamel ?? defaultEnamel,
      appearance.mouthRoom,
    ),
    ...eyeSurfaces(fit, 'left', expressions),
    ...eyeSurfaces(fit, 'right', expressions),
    partSurface('LidMargins', 'EyelidMargins', margins, margins.deltas, toBase),
    partSurface('LeftLashes', 'Eyelashes', leftLashes, leftLashes.deltas, toBase),
    partSurface('RightLashes', 'Eyelashes', rightLashes, rightLashes.deltas, toBase),
  ];
  stage('parts');

  return {
    surfaces,
    materials: ribbons ? headMaterials : headMaterials.slice(0, -1),
    rasters: (ribbons ? textureOrder : textureOrder.slice(0, -1)).map((name) => textures[name]),
    targetNames,
    headPivot: subtract(headPivot, base),
    leftEye: subtract(fit.leftEye.centre, base),
    rightEye: subtract(fit.rightEye.centre, base),
    neckBase: base,
    photoExpression: photoExpression(fit, expressions),
    extras: input.extras,
  };
}

/** Cosines of the angle to the camera from which on a photo draws relief out to grooves, and up to which it shows it. */
const [drawnOut, asItIs] = [0.55, 0.85];

/** How well the photo shows the relief of each of the face's vertices, 0..1. */
const reliefShown = ({ normals }: AssembledSkin, { pose }: FaceFit): Float32Array =>
  Float32Array.from({ length: fineFace.count }, (_, i) =>
    smoothstep(drawnOut, asItIs, facingCamera(pose, normals, i)),
  );

/** Beyond this way from the face's oval no expression moves the skin, metres. */
const still = 0.06;

/** The skin's vertices, of so many, that lie well under the hair and never move. */
function coveredBy({ craniumCoverage }: HairSheet, { columnDistance }: Cranium, count: number): Uint8Array {
  const covered = new Uint8Array(count);
  for (let i = craniumColumns; i < craniumRows * craniumColumns; i++)
    if (craniumCoverage[i] > 0.85 && columnDistance[i] > still) covered[skinVertexOf(i)] = 1;
  return covered;
}
