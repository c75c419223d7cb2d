import { clamp, type Vector } from '@likeness/geometry/vector.ts';
import { posedPoints, type Rendering, renderHead } from '@likeness/head-renderer/rasteriser.ts';
import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import { crownShare, type FaceFit, outerEyeDistance, project } from '@likeness/portrait/fit/face_fit.ts';
import { loadNetwork } from '@likeness/portrait/landmarks/face_networks.ts';
import type { FaceLandmarks } from '@likeness/portrait/landmarks/landmarks.ts';
import type { FaceNetwork } from '@likeness/portrait/landmarks/tensorflow.ts';
import { toLinear } from '@likeness/portrait/photo/linear_light.ts';
import type { Picture } from '@likeness/portrait/photo/photo.ts';
import { cropSquare, sampleCrop } from '@likeness/portrait/photo/picture_sampling.ts';
import { blur, polygonMask } from '@likeness/portrait/photo/pixel_filters.ts';
import type { Silhouette } from '@likeness/portrait/segment/silhouette.ts';
import { mouthRim, oval } from '@likeness/portrait/topology/face_topology.ts';

let descriptor: Promise<FaceNetwork> | undefined;

/** Human's face description network: 224² RGB 0..255 in, 1024 numbers out. */
export function loadDescriptor(): Promise<FaceNetwork> {
  descriptor ??= loadNetwork('faceres', 224, ['global_pooling/Mean']);
  return descriptor;
}

/** Describes a face on an upright crop around its outline. Photo and rendering are cropped the same way. */
export function describeFace(
  network: FaceNetwork,
  picture: Picture,
  outline: readonly (readonly [number, number])[],
  roll: number,
): Float32Array {
  const c = Math.cos(roll);
  const s = Math.sin(roll);
  const turned = outline.map(([x, y]) => [c * x + s * y, -s * x + c * y] as const);
  const xs = turned.map(([x]) => x);
  const ys = turned.map(([, y]) => y);
  const mx = (Math.min(...xs) + Math.max(...xs)) / 2;
  const my = (Math.min(...ys) + Math.max(...ys)) / 2;
  const extent = 1.45 * (Math.max(...ys) - Math.min(...ys));
  const map = cropSquare({ cx: c * mx - s * my, cy: s * mx + c * my, extent }, roll, network.side);
  return network.run(sampleCrop(picture, map, network.side, network.side, true))[0]!;
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    ab += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return ab / Math.sqrt(aa * bb || 1);
}

/** The outline of a face in its photo. */
export function photoOutline(landmarks: FaceLandmarks): [number, number][] {
  return oval.map((i) => [landmarks.points[3 * i]!, landmarks.points[3 * i + 1]!]);
}

/** A rendering without its alpha. */
export function asPicture(rendering: Rendering): Picture {
  const data = new Uint8Array(rendering.width * rendering.height * 3);
  for (let i = 0; i < rendering.width * rendering.height; i++) {
    for (let c = 0; c < 3; c++) data[3 * i + c] = rendering.data[4 * i + c]!;
  }
  return { data, width: rendering.width, height: rendering.height };
}

/** Blur radius of the light inside a mouth, in outer eye distances: about 3 mm, half a tooth. */
const mouthBlur = 0.035;

/**
 * Puts the photo's light into the head's mouth: lips shade teeth and tongue, which an unlit rendering
 * would leave white. The photo's brightness between the lips, relative to the head's enamel and blurred
 * beyond the shape of teeth, becomes the light in the mouth of the photo's expression.
 */
export function lightMouth(model: HeadModel, fit: FaceFit, picture: Picture): HeadModel {
  const { pose } = fit;
  const rim = mouthRim().map((i): [number, number] => [fit.photo[2 * i]!, fit.photo[2 * i + 1]!]);
  const { width, height } = picture;
  const between = polygonMask(rim, width, height);
  const luminance = new Float32Array(width * height);
  const weight = new Float32Array(width * height);
  let seen = 0;
  let mean = 0;
  for (let i = 0; i < between.length; i++) {
    if (!between[i]) continue;
    const [r, g, b] = [0, 1, 2].map((c) => toLinear(picture.data[3 * i + c]!));
    weight[i] = 1;
    luminance[i] = 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    mean += luminance[i]!;
    seen++;
  }
  if (seen === 0) return model;
  mean /= seen;
  const reach = Math.max(1, Math.round(mouthBlur * outerEyeDistance * pose.scale));
  const light = blur(luminance, width, height, reach);
  const share = blur(weight, width, height, reach);
  const inside = new Set(['Teeth', 'Gums', 'Tongue', 'MouthBag']);
  const teeth = model.surfaces.find(({ name }) => name === 'Teeth');
  if (!teeth?.colours) return model;
  let enamel = 0;
  for (let i = 0; i < teeth.colours.length; i += 3) enamel = Math.max(enamel, teeth.colours[i + 1]!);
  const base = model.neckBase ?? [0, 0, 0];
  return {
    ...model,
    surfaces: model.surfaces.map((surface) => {
      if (!surface.colours || !inside.has(surface.name)) return surface;
      const points = posedPoints(model, surface, model.photoExpression ?? {});
      const colours = surface.colours.slice();
      for (let i = 0; i < points.length; i += 3) {
        const [x, y] = project(pose, [
          points[i]! + base[0],
          points[i + 1]! + base[1],
          points[i + 2]! + base[2],
        ]);
        const k = clamp(Math.floor(y), 0, height - 1) * width + clamp(Math.floor(x), 0, width - 1);
        // The mouth behind the lips is hidden: use its average brightness.
        const level = (light[k]! + 0.05 * mean) / (share[k]! + 0.05);
        for (let c = 0; c < 3; c++) colours[i + c]! *= clamp(level / enamel, 0.02, 1.3);
      }
      return { ...surface, colours };
    }),
  };
}

/** The grey background of rendered heads, sRGB. */
const backdrop = [110, 112, 116] as const;

/**
 * Renders a head in its photo's pose, at the same pixels, on grey: the base colour. `asPhotographed` adds the photo's
 * mouth; the skin has the photo's light if the head was made with `light: 1`, the mouth after {@link lightMouth}.
 */
export function renderInPhotoPose(
  model: HeadModel,
  fit: FaceFit,
  picture: Picture,
  asPhotographed = false,
): Rendering {
  const { pose } = fit;
  const base = model.neckBase ?? [0, 0, 0];
  const row = (axis: 0 | 1, sign: number, offset: number): number[] => {
    const r = [
      pose.x[axis] * pose.scale * sign,
      pose.y[axis] * pose.scale * sign,
      pose.z[axis] * pose.scale * sign,
    ];
    return [...r, offset + r[0]! * base[0] + r[1]! * base[1] + r[2]! * base[2]];
  };
  /** Moves every point so that the orthographic drawing shows it as large as the photo's camera did. */
  const seen = model.surfaces.map((surface) => {
    const points = surface.points.slice();
    for (let i = 0; i < points.length; i += 3) {
      const point: Vector = [points[i]! + base[0], points[i + 1]! + base[1], points[i + 2]! + base[2]];
      const share = crownShare(pose, point);
      if (share < 1) for (let k = 0; k < 3; k++) points[i + k] = share * point[k]! - base[k]!;
    }
    return { ...surface, points };
  });
  return renderHead(
    { ...model, surfaces: seen },
    {
      size: picture.height,
      width: picture.width,
      unlit: true,
      morphs: asPhotographed ? (model.photoExpression ?? {}) : {},
      background: backdrop,
      camera: { x: row(0, 1, pose.tx), y: row(1, -1, pose.ty), z: [pose.x[2], pose.y[2], pose.z[2], 0] },
    },
  );
}

/**
 * Fills a photo with the renderings' grey wherever neither the rendering in its pose nor the photo's outline
 * of head and hair shows a head: background and clothes do not belong to a likeness.
 */
export function withoutBackground(picture: Picture, drawn: Rendering, outline: Silhouette): Picture {
  const { width, height } = picture;
  const data = Uint8Array.from(picture.data);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (drawn.data[4 * i + 3]) continue;
      const [cx, cy] = outline.toCrop(x + 0.5, y + 0.5).map(Math.floor) as [number, number];
      const inCrop = cx >= 0 && cy >= 0 && cx < outline.width && cy < outline.height;
      if (!inCrop || outline.mask[cy * outline.width + cx]! < 128) data.set(backdrop, 3 * i);
    }
  }
  return { data, width, height };
}

/**
 * Draws a head seen from the front turned by `yaw` degrees: the neutral base colour, or `asPhotographed`
 * as in {@link renderInPhotoPose}. `places` are the landmarks' positions in the picture.
 */
export function drawTurned(
  model: HeadModel,
  yaw: number,
  asPhotographed: boolean,
): { picture: Picture; pointsOf: (landmarks: readonly number[]) => [number, number][] } {
  const size = 420;
  const height = 0.34;
  const middle = 0.165;
  const picture = asPicture(
    renderHead(model, {
      yaw,
      size,
      height,
      middle,
      unlit: true,
      morphs: asPhotographed ? (model.photoExpression ?? {}) : {},
      background: backdrop,
    }),
  );
  const skin = model.surfaces.find((surface) => surface.name === 'Skin')!;
  const a = (yaw * Math.PI) / 180;
  const pointsOf = (landmarks: readonly number[]): [number, number][] =>
    landmarks.map((i) => {
      const [x, y, z] = [skin.points[3 * i]!, skin.points[3 * i + 1]!, skin.points[3 * i + 2]!];
      return [
        size / 2 + (size / height) * (x * Math.cos(a) + z * Math.sin(a)),
        size / 2 - (size / height) * (y - middle),
      ];
    });
  return { picture, pointsOf };
}

/** Describes a head as {@link drawTurned} draws it. */
export function describeHead(
  network: FaceNetwork,
  model: HeadModel,
  yaw: number,
  asPhotographed: boolean,
): Float32Array {
  const { picture, pointsOf } = drawTurned(model, yaw, asPhotographed);
  return describeFace(network, picture, pointsOf(oval), 0);
}
