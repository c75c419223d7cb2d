import { arkitBlendshapeNames, oculusVisemeNames } from '#proto/blendshapes.ts';
import type { Appearance, AssembledSkin } from '../appearance/appearance.ts';
import type { HeadModel, Material, Raster, Surface } from '../contract/head_model.ts';
import type { Sex } from '../contract/head_request.ts';
import type { Expression } from '../expressions/expression.ts';
import { buildExpressions } from '../expressions/expressions.ts';
import { jawDisplacement, jawHinge } from '../expressions/jaw.ts';
import { photoExpression } from '../expressions/photo_expression.ts';
import { visemeMixtures } from '../expressions/viseme_mixtures.ts';
import { eyeballRadius, type FaceFit, project } from '../fit/face_fit.ts';
import { craniumColumnOf, type HairSheet, hairColumns } from '../hair/hair_sheet.ts';
import { hairLayout } from '../hair/hair_texture.ts';
import { at, mix, scale, smoothstep, subtract, type Vector, vertexNormals } from '../math/vector.ts';
import { earShape } from '../parts/ear_shape.ts';
import { type Ear, growEar, makeRoomForEars, tuckBehindEars } from '../parts/ears.ts';
import { type EyeSurface, growCornea, growEyeball } from '../parts/eyeballs.ts';
import { type EyelidType, shapeEyelids } from '../parts/eyelid.ts';
import { growLashes, paintLashes } from '../parts/lashes.ts';
import { growLidMargins } from '../parts/lid_margins.ts';
import { growMouthBag } from '../parts/mouth_bag.ts';
import { growMouthInside, type MouthPart, type MouthPlace } from '../parts/mouth_parts.ts';
import { toLinear, usualEnamel } from '../parts/tooth_colour.ts';
import { craniumVertex, skinPatches } from '../skull/skin_patches.ts';
import { type Cranium, craniumColumns, craniumRows, growCranium } from '../skull/skull.ts';
import { canvasBytes } from '../texture/skin_texture.ts';
import { layout } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';

export interface HeadInput {
  readonly fit: FaceFit;
  readonly sex: Sex;
  readonly eyelidType?: EyelidType;
  readonly look: Appearance;
  readonly extras: Record<string, unknown>;
  readonly stage?: (name: string) => void;
}

/** Targets of every head, in this order. */
const targetNames: readonly string[] = [...arkitBlendshapeNames, ...oculusVisemeNames];

/** Share of the skin's texture that the face takes across; the cranium lies round it out to the circle. */
const faceShare = 0.64;
const craniumRim = 0.496;
/** Side of the ears' corner in the texture. */
const earPatch = 0.138;

/** Builds the whole head from a fitted face and what it wears. */
export function buildHead(input: HeadInput): HeadModel {
  const { fit, sex, look } = input;
  const stage = input.stage ?? (() => {});
  const fine = fineFace.refine(fit.neutral, 3);
  if (input.eyelidType) shapeEyelids(fine, input.eyelidType);
  liftOffEyes(fine, fit, 0.0004);
  const photo = fineFace.refine(fit.photo, 2);
  const cranium = growCranium(fit.neutral, fine, sex);
  const hair = look.growHair(cranium);
  const ear = growEar(fit, cranium, hair, sex, look.beside);
  tuckBehindEars(hair, ear);
  makeRoomForEars(cranium, ear);
  stage('loft');

  const base = cranium.neckBase;
  const toBase = (points: Float32Array): Float32Array => points.map((v, i) => v - base[i % 3]);
  const expressions = buildExpressions(fit);
  const mixtures = oculusVisemeNames.map((name) => visemeMixtures[name]);
  /** Adds the visemes to the displacements of the 52. */
  const withVisemes = (deltas: (Float32Array | undefined)[]): (Float32Array | undefined)[] => [
    ...deltas,
    ...mixtures.map((mixture) => {
      let sum: Float32Array | undefined;
      for (const [name, weight] of Object.entries(mixture)) {
        const delta = deltas[arkitBlendshapeNames.indexOf(name as (typeof arkitBlendshapeNames)[number])];
        if (!delta) continue;
        sum ??= new Float32Array(delta.length);
        for (let i = 0; i < delta.length; i++) sum[i] += weight * delta[i];
      }
      return sum;
    }),
  ];
  const fineDeltas = expressions.map((expression) => fineDelta(expression, fit, fine));
  stage('shapes');

  const skin = assembleSkin(fit, fine, photo, cranium, ear, fineDeltas);
  const skinTexture: Raster = {
    name: 'Skin',
    width: look.skinSize,
    height: look.skinSize,
    channels: 3,
    // Not kept under a name: the canvas is the largest thing here, and its bytes are all that is needed of it.
    data: withBothEars(canvasBytes(look.paintSkin(skin, cranium, hair, look.skinSize)), look.skinSize),
    quality: 86,
  };
  stage('bake');

  const hairTexture = look.paintHair(hair, look.hairSize);
  stage('hair');
  const rasters: Raster[] = [
    skinTexture,
    look.paintEye('left', 256),
    paintLashes(sex),
    hairTexture,
    look.paintEye('right', 256),
  ];
  const materials: Material[] = [
    { name: 'Skin', colour: [1, 1, 1, 1], roughness: 0.68, texture: 0 },
    { name: 'EyeLeft', colour: [1, 1, 1, 1], roughness: 0.8, texture: 1 },
    // A mirror that lets nine tenths through reflects as much as a wet eye does, whatever the light.
    { name: 'Cornea', colour: [0.4, 0.4, 0.4, 0.1], metallic: 1, roughness: 0.1, alphaMode: 'BLEND' },
    // Lamps cast no shadows in most viewers: what is wet behind the lips must not shine as if nothing were before it.
    { name: 'Teeth', colour: [1, 1, 1, 1], roughness: 0.55 },
    { name: 'MouthInside', colour: [1, 1, 1, 1], roughness: 0.95 },
    {
      name: 'Eyelashes',
      colour: [1, 1, 1, 0.75],
      roughness: 0.8,
      texture: 2,
      alphaMode: 'BLEND',
      doubleSided: true,
    },
    { name: 'Hair', colour: [1, 1, 1, 1], roughness: 1, texture: 3, doubleSided: true },
    { name: 'EyeRight', colour: [1, 1, 1, 1], roughness: 0.8, texture: 4 },
    { name: 'Gums', colour: [1, 1, 1, 1], roughness: 0.95 },
    { name: 'Tongue', colour: [1, 1, 1, 1], roughness: 0.95 },
    { name: 'EyelidMargins', colour: [1, 1, 1, 1], roughness: 0.95 },
  ];

  const surfaces: Surface[] = [];
  surfaces.push({
    name: 'Skin',
    material: 0,
    node: 'skin',
    points: toBase(skin.points),
    normals: skin.normals,
    uv: skin.uv,
    triangles: skin.triangles,
    patches: skinPatches,
    morphs: withVisemes(skin.deltas),
    headShare: skin.headShare,
    photoLight: skin.photoLight,
  });

  if (hair.triangles.length) surfaces.push(hairSurface(hair, skin, toBase(hair.points), withVisemes));

  const place = mouthPlace(fit);
  const inside = growMouthInside(place, look.enamel ?? usualEnamel);
  const hinge = jawHinge(fit.neutral);
  const rigid = (part: MouthPart, tongue: boolean): (Float32Array | undefined)[] =>
    expressions.map((expression) => partDelta(part, expression, hinge, tongue, place));
  const bag = growMouthBag(fine, place, fineDeltas, expressions, hinge, look.mouthRoom);
  const mouthSurface = (
    name: string,
    part: MouthPart,
    material: number,
    deltas: (Float32Array | undefined)[],
  ): Surface => ({
    name,
    material,
    node: 'Head',
    points: toBase(part.points),
    normals: vertexNormals(part.points, part.triangles),
    colours: part.colours,
    triangles: part.triangles,
    patches: part.patches,
    morphs: withVisemes(deltas),
  });
  surfaces.push(mouthSurface('Teeth', inside.teeth, 3, rigid(inside.teeth, false)));
  surfaces.push(mouthSurface('Gums', inside.gums, 8, rigid(inside.gums, false)));
  surfaces.push(mouthSurface('Tongue', inside.tongue, 9, rigid(inside.tongue, true)));
  surfaces.push(mouthSurface('MouthBag', bag.part, 4, bag.deltas));

  for (const side of ['Left', 'Right'] as const) {
    const eye = side === 'Left' ? fit.leftEye : fit.rightEye;
    const ball = growEyeball(eye.irisRadius);
    const cornea = growCornea(eye.irisRadius);
    const node = side === 'Left' ? ('LeftEye' as const) : ('RightEye' as const);
    const eyeSurface = (name: string, surface: EyeSurface, material: number): Surface => ({
      name: `${side}${name}`,
      material,
      node,
      points: surface.points,
      normals: vertexNormals(surface.points, surface.triangles),
      uv: surface.uv,
      triangles: surface.triangles,
      morphs: withVisemes(
        expressions.map((expression) => gazeDelta(surface, expression, side === 'Left' ? 'left' : 'right')),
      ),
    });
    surfaces.push(eyeSurface('Eyeball', ball, side === 'Left' ? 1 : 7), eyeSurface('Cornea', cornea, 2));
  }
  const margins = growLidMargins(fine, fit, fineDeltas, (i) => colourAt(skinTexture, skin.uv, i));
  surfaces.push({
    name: 'LidMargins',
    material: 10,
    node: 'Head',
    points: toBase(margins.points),
    normals: vertexNormals(margins.points, margins.triangles),
    colours: margins.colours,
    triangles: margins.triangles,
    morphs: withVisemes(margins.deltas),
  });
  for (const side of ['left', 'right'] as const) {
    const lash = growLashes(fine, fit, side, sex, fineDeltas);
    surfaces.push({
      name: side === 'left' ? 'LeftLashes' : 'RightLashes',
      material: 5,
      node: 'Head',
      points: toBase(lash.points),
      normals: lash.normals,
      uv: lash.uv,
      triangles: lash.triangles,
      morphs: withVisemes(lash.deltas),
    });
  }
  stage('parts');

  return {
    surfaces,
    materials,
    rasters,
    targetNames,
    headPivot: subtract([0, -0.035, -0.03], base),
    leftEye: subtract(fit.leftEye.centre, base),
    rightEye: subtract(fit.rightEye.centre, base),
    neckBase: base,
    photoExpression: photoExpression(fit, expressions),
    extras: input.extras,
  };
}

/** The hair follows the skin below it where that moves, and bends with the neck as the skin does. */
function hairSurface(
  hair: HairSheet,
  skin: AssembledSkin,
  points: Float32Array,
  withVisemes: (deltas: (Float32Array | undefined)[]) => (Float32Array | undefined)[],
): Surface {
  const under = (row: number, j: number): number => {
    const k = craniumColumnOf(j);
    if (hair.fringe && row > craniumRows)
      return hair.fringe.under[(row - craniumRows - 1) * craniumColumns + k];
    return row === 0 ? fineFace.oval[k] : fineFace.count + (row - 1) * craniumColumns + k;
  };
  // Only the vertices in use.
  const order = new Int32Array(points.length / 3).fill(-1);
  const kept: number[] = [];
  const triangles = hair.triangles.map((i) => {
    if (order[i] < 0) order[i] = kept.push(i) - 1;
    return order[i];
  });
  const layoutAll = hairLayout(hair);
  const out = new Float32Array(kept.length * 3);
  const uv = new Float32Array(kept.length * 2);
  const share = new Float32Array(kept.length);
  const sources = kept.map((i) => under(Math.floor(i / hairColumns), i % hairColumns));
  for (let n = 0; n < kept.length; n++) {
    const i = kept[n];
    out.set(points.subarray(3 * i, 3 * i + 3), 3 * n);
    uv.set(layoutAll.subarray(2 * i, 2 * i + 2), 2 * n);
    share[n] = Math.max(skin.headShare[sources[n]], 0.35);
  }
  const deltas = skin.deltas.map((delta) => {
    if (!delta) return undefined;
    const own = new Float32Array(out.length);
    for (let n = 0; n < kept.length; n++) {
      // Rows near the oval, and those on the face, move with it; the hair itself does not stretch.
      const row = Math.floor(kept[n] / hairColumns);
      const fade = row > craniumRows ? 1 : Math.max(0, 1 - row / 9);
      const moved = scale(at(delta, sources[n]), fade);
      // A fringe stands off the skin by more than this: it need not follow, and the file stays small.
      if (row <= craniumRows || Math.hypot(...moved) > 0.0005) own.set(moved, 3 * n);
    }
    return own;
  });
  return {
    name: 'Hair',
    material: 6,
    node: 'skin',
    points: out,
    normals: vertexNormals(out, triangles),
    uv,
    triangles,
    morphs: withVisemes(deltas),
    headShare: share,
  };
}

/** Mirrors the first ear's corner of the skin's picture, RGB, into the second one's. */
function withBothEars(data: Uint8Array, side: number): Uint8Array {
  const reach = Math.ceil(side * earPatch) + 2;
  for (let y = 0; y < reach; y++)
    for (let x = 0; x < reach; x++) {
      const from = 3 * (y * side + x);
      data.copyWithin(3 * (y * side + side - 1 - x), from, from + 3);
    }
  return data;
}

/** A texture's colour at a vertex, linear RGB. */
function colourAt({ data, width, height, channels }: Raster, uv: Float32Array, i: number): Vector {
  const x = Math.min(width - 1, Math.floor(uv[2 * i] * width));
  const y = Math.min(height - 1, Math.floor(uv[2 * i + 1] * height));
  return [0, 1, 2].map((c) => toLinear(data[channels * (y * width + x) + c])) as Vector;
}

/** Moves vertices that the subdivision pulled into an eyeball out of it, forward. */
function liftOffEyes(points: Float32Array, fit: FaceFit, clearance: number): void {
  for (const eye of [fit.leftEye, fit.rightEye]) {
    const wanted = eyeballRadius + clearance;
    for (let i = 0; i < points.length; i += 3) {
      const dx = points[i] - eye.centre[0];
      const dy = points[i + 1] - eye.centre[1];
      const dz = points[i + 2] - eye.centre[2];
      const across = dx * dx + dy * dy;
      if (across > wanted * wanted || dz < 0 || across + dz * dz >= wanted * wanted) continue;
      points[i + 2] = eye.centre[2] + Math.sqrt(wanted * wanted - across);
    }
  }
}

/** An expression's displacement of the fine face; lids are kept off the eyeballs at full and half weight. */
function fineDelta(expression: Expression, fit: FaceFit, fine: Float32Array): Float32Array | undefined {
  if (!expression.skin) return undefined;
  const delta = fineFace.refine(expression.skin, 3);
  if (!expression.name.startsWith('eye')) return delta;
  for (const weight of [1, 0.5]) {
    const posed = fine.map((v, i) => v + weight * delta[i]);
    liftOffEyes(posed, fit, 0.0004);
    for (let i = 2; i < delta.length; i += 3) {
      const wanted = (posed[i] - fine[i]) / weight;
      if (wanted > delta[i]) delta[i] = wanted;
    }
  }
  return delta;
}

/** Face, cranium and ears as one surface. */
function assembleSkin(
  fit: FaceFit,
  fine: Float32Array,
  photo: Float32Array,
  cranium: Cranium,
  ear: Ear,
  fineDeltas: readonly (Float32Array | undefined)[],
): AssembledSkin {
  const faceCount = fineFace.count;
  const craniumCount = craniumRows * craniumColumns;
  const earCount = ear.points.length / 3;
  const ears = ([ear.hidden.left ? 0 : 1, ear.hidden.right ? 0 : -1] as const).filter((sign) => sign !== 0);
  const count = faceCount + craniumCount + ears.length * earCount + craniumColumns;
  const points = new Float32Array(count * 3);
  const uv = new Float32Array(count * 2);
  const photoAt = new Float32Array(count * 2);
  const trust = new Float32Array(count);
  const headShare = new Float32Array(count).fill(1);
  points.set(fine);
  points.set(cranium.points.subarray(3 * craniumColumns), 3 * faceCount);
  photoAt.set(photo);

  const flat = fineFace.refine(layout, 2);
  for (let i = 0; i < faceCount; i++) {
    uv[2 * i] = 0.5 + (flat[2 * i] - 0.5) * faceShare;
    uv[2 * i + 1] = 0.5 + (flat[2 * i + 1] - 0.5) * faceShare;
  }
  const triangles = skinPatches.list.flatMap((patch) => patch.triangles);
  for (let k = 0; k < craniumColumns; k++) {
    const rim = fineFace.oval[k];
    const x0 = uv[2 * rim];
    const y0 = uv[2 * rim + 1];
    const own = Math.atan2(y0 - 0.5, x0 - 0.5);
    const total = cranium.way[craniumRows * craniumColumns + k];
    const x1 = 0.5 + craniumRim * Math.cos(own);
    const y1 = 0.5 + craniumRim * Math.sin(own);
    const seen = project(fit.pose, at(fine, rim));
    const off = [photo[2 * rim] - seen[0], photo[2 * rim + 1] - seen[1]] as const;
    for (let row = 1; row <= craniumRows; row++) {
      const i = craniumVertex(row, k);
      const way = cranium.way[row * craniumColumns + k];
      // More of the texture for what the photo shows: the way near the oval counts more.
      const t = (way / total) ** 0.8;
      uv[2 * i] = x0 + (x1 - x0) * t;
      uv[2 * i + 1] = y0 + (y1 - y0) * t;
      const [px, py] = project(fit.pose, at(points, i));
      const keep = 1 - smoothstep(0, 0.03, way);
      photoAt[2 * i] = px + off[0] * keep;
      photoAt[2 * i + 1] = py + off[1] * keep;
    }
  }
  const earStart = faceCount + craniumCount;
  const light = new Float32Array(count).fill(1);
  const photoLight = new Float32Array(count * 3).fill(1);
  // One ear is painted; the other wears its mirror image in a corner of its own.
  const earTriangles = [
    triangles.length,
    triangles.length + (ears.length ? earShape.triangles.length : 0),
  ] as const;
  for (const [n, sign] of ears.entries()) {
    const start = earStart + n * earCount;
    light.set(earShape.light, start);
    for (let i = 0; i < earCount; i++) {
      points.set([sign * ear.points[3 * i], ear.points[3 * i + 1], ear.points[3 * i + 2]], 3 * (start + i));
      const across = earShape.patch[2 * i] * earPatch;
      uv.set([n === 0 ? across : 1 - across, earShape.patch[2 * i + 1] * earPatch], 2 * (start + i));
    }
    for (let t = 0; t < earShape.triangles.length; t += 3) {
      const [a, b, c] = [
        start + earShape.triangles[t],
        start + earShape.triangles[t + 1],
        start + earShape.triangles[t + 2],
      ];
      triangles.push(...(sign > 0 ? [a, b, c] : [a, c, b]));
    }
  }
  const capStart = earStart + ears.length * earCount;
  // The neck is closed below: each column's own middle, so that it keeps its column's colour.
  for (let k = 0; k < craniumColumns; k++) {
    const edge = craniumVertex(craniumRows, k);
    points.set([0, cranium.neckBase[1] + 0.002, cranium.neckBase[2]], 3 * (capStart + k));
    uv.set(uv.subarray(2 * edge, 2 * edge + 2), 2 * (capStart + k));
    headShare[capStart + k] = 0;
    triangles.push(edge, craniumVertex(craniumRows, k + 1), capStart + k);
  }
  const triangleArray = Uint32Array.from(triangles);
  const normals = vertexNormals(points, triangleArray);
  for (let i = 0; i < earStart; i++) {
    const facing =
      fit.pose.x[2] * normals[3 * i] +
      fit.pose.y[2] * normals[3 * i + 1] +
      fit.pose.z[2] * normals[3 * i + 2];
    trust[i] =
      i < faceCount
        ? 0.03 + 0.97 * smoothstep(0.1, 0.4, facing)
        : 0.97 * (points[3 * i + 1] < 0.03 ? smoothstep(0.5, 0.8, facing) : smoothstep(0.25, 0.5, facing));
  }
  for (let row = 1; row <= craniumRows; row++) {
    for (let k = 0; k < craniumColumns; k++) {
      const i = craniumVertex(row, k);
      const y = points[3 * i + 1] - cranium.neckBase[1];
      headShare[i] = Math.max(
        smoothstep(0.005, 0.085, y),
        1 - smoothstep(0, 0.045, cranium.way[row * craniumColumns + k]),
      );
    }
  }
  const deltas = fineDeltas.map((fineDelta) => {
    if (!fineDelta) return undefined;
    const delta = new Float32Array(count * 3);
    delta.set(fineDelta);
    for (let row = 1; row <= craniumRows; row++) {
      for (let k = 0; k < craniumColumns; k++) {
        const way = cranium.way[row * craniumColumns + k];
        if (way > 0.058) continue;
        const share = 1 - smoothstep(0, 0.058, way);
        const rim = fineFace.oval[k];
        const i = craniumVertex(row, k);
        for (let c = 0; c < 3; c++) delta[3 * i + c] = fineDelta[3 * rim + c] * share;
      }
    }
    return delta;
  });
  return {
    points,
    normals,
    uv,
    photo: photoAt,
    trust,
    triangles: triangleArray,
    headShare,
    deltas,
    light,
    photoLight,
    earTriangles,
  };
}

function mouthPlace(fit: FaceFit): MouthPlace {
  const face = fit.neutral;
  const middle = mix(at(face, 13), at(face, 14), 0.5);
  return {
    middle: [0, middle[1], middle[2]],
    halfWidth: (face[3 * 308] - face[3 * 78]) / 2,
    cornerDepth: middle[2] - (face[3 * 308 + 2] + face[3 * 78 + 2]) / 2,
  };
}

/** What teeth, gums and tongue do: they follow the jaw; the tongue can come out. */
function partDelta(
  part: MouthPart,
  expression: Expression,
  hinge: Vector,
  tongue: boolean,
  place: MouthPlace,
): Float32Array | undefined {
  if (!expression.jaw && !(tongue && expression.tongueOut)) return undefined;
  const delta = new Float32Array(part.points.length);
  for (let i = 0; i < part.jaw.length; i++) {
    const p = at(part.points, i);
    if (expression.jaw && part.jaw[i] > 0) {
      delta.set(scale(jawDisplacement(p, hinge, expression.jaw), part.jaw[i]), 3 * i);
    }
    if (tongue && expression.tongueOut) {
      // Out over the lower teeth, then down over the lip.
      const t = smoothstep(place.middle[2] - 0.058, place.middle[2] - 0.008, p[2]);
      delta.set(
        [0.04 * (p[0] - place.middle[0]) * t, 0.007 * t * (1 - t) * 4 - 0.0105 * t ** 3, 0.033 * t],
        3 * i,
      );
    }
  }
  return delta;
}

/** An eyeball's displacement when it turns about its centre. */
function gazeDelta(
  surface: EyeSurface,
  expression: Expression,
  side: 'left' | 'right',
): Float32Array | undefined {
  const gaze = expression.gaze;
  if (gaze?.side !== side) return undefined;
  const delta = new Float32Array(surface.points.length);
  const cx = Math.cos(gaze.down);
  const sx = Math.sin(gaze.down);
  const cy = Math.cos(gaze.left);
  const sy = Math.sin(gaze.left);
  for (let i = 0; i < delta.length; i += 3) {
    const [x, y, z] = [surface.points[i], surface.points[i + 1], surface.points[i + 2]];
    const y1 = y * cx - z * sx;
    const z1 = y * sx + z * cx;
    delta[i] = x * cy + z1 * sy - x;
    delta[i + 1] = y1 - y;
    delta[i + 2] = -x * sy + z1 * cy - z;
  }
  return delta;
}
