import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Picture } from '@likeness/portrait/photo/photo.ts';
import {
  cropSquare,
  cropToPicture,
  type Similarity,
  sampleCrop,
} from '@likeness/portrait/photo/picture_sampling.ts';
import { landmark } from '@likeness/portrait/topology/landmark.ts';
import { fitSimilarity } from './similarity.ts';

type Position = readonly [number, number];

/** The points that align a face: the corners of the eyes, and the point where the nose meets the lip. */
export const judgedPoints = [
  landmark.leftEyeOuter,
  landmark.leftEyeInner,
  landmark.rightEyeOuter,
  landmark.rightEyeInner,
  landmark.subnasale,
] as const;

/**
 * Their positions in the training crops (dlib, `get_face_chip_details`), before a margin of a quarter is
 * added.
 */
const laidOut: readonly Position[] = [
  [0.8595674595992, 0.2134981538014],
  [0.6460604764104, 0.2289674387677],
  [0.1205750620789, 0.2137274526848],
  [0.3340850613712, 0.2290642403242],
  [0.4901123135679, 0.6277975316475],
];
const padding = 0.25;
const side = 150;

/** Returns 128 numbers that describe a face. `points` are {@link judgedPoints} in the picture, pixels. */
export type SecondJudge = (picture: Picture, points: readonly Position[]) => Promise<Float32Array>;

/**
 * A second judge of likeness, for which nothing was tuned: dlib's face recognition network, with the weights
 * and code of face-api. Two pictures of one person differ by less than 0.6 (dlib’s threshold).
 */
export async function loadSecondJudge(): Promise<SecondJudge> {
  const { tf, nets } = await loadFaceApi();
  await tf.setBackend('cpu');
  const folder = join(dirname(fileURLToPath(import.meta.resolve('@vladmandic/face-api'))), '../model');
  const name = 'face_recognition_model';
  const manifest = JSON.parse(await readFile(join(folder, `${name}-weights_manifest.json`), 'utf8')) as [
    { weights: object[] },
  ];
  const weights = Uint8Array.from(await readFile(join(folder, `${name}.bin`)));
  const network = nets.faceRecognitionNet;
  network.loadFromWeightMap(tf.io.decodeWeights(weights.buffer, manifest[0].weights));
  return async (picture, points) => {
    const crop = sampleCrop(picture, chipOf(points), side, side, true);
    const input = tf.tensor3d(Float32Array.from(crop), [side, side, 3]);
    const description = await network.computeFaceDescriptor(input);
    input.dispose();
    return description;
  };
}

export const distance = (a: Float32Array, b: Float32Array): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0));

/** The similarity transform of the points to the network's positions, by least squares. */
function chipOf(points: readonly Position[]): Similarity {
  const wanted = laidOut.map(
    ([x, y]): Position => [
      ((x + padding) / (1 + 2 * padding)) * side,
      ((y + padding) / (1 + 2 * padding)) * side,
    ],
  );
  const map = fitSimilarity(wanted.map((point, i) => [point, points[i]!]));
  const [cx, cy] = cropToPicture(map, side / 2, side / 2);
  return cropSquare({ cx, cy, extent: Math.hypot(map.a, map.b) * side }, Math.atan2(map.b, map.a), side);
}

/** The used part of face-api. */
interface FaceApi {
  tf: {
    setBackend(name: string): Promise<boolean>;
    tensor3d(values: Float32Array, shape: [number, number, number]): { dispose(): void };
    io: { decodeWeights(bytes: ArrayBuffer, specs: object[]): object };
  };
  nets: {
    faceRecognitionNet: {
      loadFromWeightMap(weights: object): void;
      computeFaceDescriptor(input: object): Promise<Float32Array>;
    };
  };
}

/** Its only build that contains TensorFlow is for browsers. Without a `window` it fails in Node. */
async function loadFaceApi(): Promise<FaceApi> {
  const page = globalThis as { window?: unknown; document?: unknown };
  const document = { createElement: () => ({ getContext: () => null }) };
  Object.assign(page, { window: { document }, document });
  try {
    const path = '@vladmandic/face-api/dist/face-api.esm.js';
    return (await import(path)) as FaceApi;
  } finally {
    delete page.window;
    delete page.document;
  }
}
