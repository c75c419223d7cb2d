import type { FaceFit } from './face_fit.ts';
import { type FaceNetwork, loadNetwork } from './face_networks.ts';
import { oval } from './face_topology.ts';
import type { HeadModel } from './head_model.ts';
import type { FaceLandmarks } from './landmarks.ts';
import type { Picture } from './photo.ts';
import { cropSimilarity, sampleCrop } from './picture_sampling.ts';
import { type Rendering, type RenderOptions, renderHead } from './rasteriser.ts';

let descriptor: Promise<FaceNetwork> | undefined;

/** Human's face description network: 224² RGB 0..255 in, 1024 numbers out. */
export function loadDescriptor(): Promise<FaceNetwork> {
  descriptor ??= loadNetwork('faceres', 224, ['global_pooling/Mean']);
  return descriptor;
}

/** Describes a face on an upright crop set by its outline alone, so that photo and rendering are cut alike. */
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
  const map = cropSimilarity(c * mx - s * my, s * mx + c * my, extent, roll, network.side);
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

/** What brings back the photo's mouth and the light that was taken out of it. */
const photographed = (model: HeadModel): Pick<RenderOptions, 'morphs' | 'photoLight'> => ({
  morphs: model.photoExpression ?? {},
  photoLight: true,
});

/**
 * Draws a head in its photo's pose, at the same pixels, on grey: the neutral base colour; `asPhotographed` with
 * the photo's mouth and the light that the engine took out of it.
 */
export function renderInPhotoPose(
  model: HeadModel,
  fit: FaceFit,
  picture: Picture,
  asPhotographed = false,
): Picture {
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
  return asPicture(
    renderHead(model, {
      size: picture.height,
      width: picture.width,
      unlit: true,
      ...(asPhotographed ? photographed(model) : {}),
      background: [110, 112, 116],
      camera: { x: row(0, 1, pose.tx), y: row(1, -1, pose.ty), z: [pose.x[2], pose.y[2], pose.z[2], 0] },
    }),
  );
}

/**
 * Describes a head seen from the front turned by `yaw` degrees: the neutral base colour, or `asPhotographed` as in
 * {@link renderInPhotoPose}.
 */
export function describeHead(
  network: FaceNetwork,
  model: HeadModel,
  yaw: number,
  asPhotographed: boolean,
): Float32Array {
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
      ...(asPhotographed ? photographed(model) : {}),
      background: [110, 112, 116],
    }),
  );
  const skin = model.surfaces.find((surface) => surface.name === 'Skin')!;
  const a = (yaw * Math.PI) / 180;
  const outline = oval.map((i): [number, number] => {
    const [x, y, z] = [skin.points[3 * i]!, skin.points[3 * i + 1]!, skin.points[3 * i + 2]!];
    return [
      size / 2 + (size / height) * (x * Math.cos(a) + z * Math.sin(a)),
      size / 2 - (size / height) * (y - middle),
    ];
  });
  return describeFace(network, picture, outline, 0);
}
