import { histogramMedian } from '@likeness/geometry/median.ts';
import type { FaceLandmarks, Iris } from '../landmarks/landmarks.ts';
import { toLab } from '../photo/lab_colour.ts';
import type { Picture } from '../photo/photo.ts';
import { cropAbout, pictureToCrop, sampleCrop } from '../photo/picture_sampling.ts';
import { polygonMask } from '../photo/pixel_filters.ts';
import { type EyeGroup, leftEye, oval, rightEye } from '../topology/face_topology.ts';
import { landmark } from '../topology/landmark.ts';

/** Pre-flight's measurements of a face, besides its size and pose. */
export type FaceQuality = ReturnType<typeof measureFace>;

/** The upright crop that most is measured on: distance of the outer eye corners and size, pixels. */
const cropIod = 100;
const cropWidth = 200;
const cropHeight = 260;
/** Where the middle between the eyes lies in it. */
const eyesAt = { x: 100, y: 100 };

export function measureFace(picture: Picture, landmarks: FaceLandmarks) {
  const { points, iod, roll } = landmarks;
  const cx = (points[3 * landmark.rightEyeOuter] + points[3 * landmark.leftEyeOuter]) / 2;
  const cy = (points[3 * landmark.rightEyeOuter + 1] + points[3 * landmark.leftEyeOuter + 1]) / 2;
  const map = cropAbout([cx, cy], [eyesAt.x, eyesAt.y], iod / cropIod, roll);
  const toCrop = (x: number, y: number): [number, number] => pictureToCrop(map, x, y);
  const pointOf = (i: number): [number, number] => toCrop(points[3 * i], points[3 * i + 1]);
  const crop = sampleCrop(picture, map, cropWidth, cropHeight, true);
  const inFace = polygonMask(oval.map(pointOf), cropWidth, cropHeight);
  const luma = new Float32Array(cropWidth * cropHeight);
  let [area, blown] = [0, 0];
  for (let i = 0; i < luma.length; i++) {
    luma[i] = lumaOf(crop, i);
    area += inFace[i];
    if (inFace[i] && Math.min(crop[3 * i], crop[3 * i + 1]) >= 250) blown++;
  }
  const lab = toLab(crop);
  const red = medianIn(inFace, (i) => lab[3 * i + 1]) - 128;
  const yellow = medianIn(inFace, (i) => lab[3 * i + 2]) - 128;
  const gazeOf = (eye: EyeGroup, iris: Iris): number => {
    const [outer] = pointOf(eye.outer);
    const [inner] = pointOf(eye.inner);
    return (toCrop(iris.x, iris.y)[0] - (outer + inner) / 2) / Math.abs(outer - inner);
  };
  return {
    /** Blur of eyes and brows, 0 (sharp) .. 1, as seen with 100 pixels between the outer eye corners. */
    blur: blurEffect(luma),
    /** Median luma of the face, 0..255. */
    brightness: medianIn(inFace, (i) => luma[i]),
    /** Share of the face that is blown out, 0..1. */
    blown: blown / Math.max(1, area),
    /** Opening of the lids in widths of the eye, the more closed eye. */
    eyeOpening: Math.min(openingOf(points, rightEye), openingOf(points, leftEye)),
    /** How far the irises look aside, in widths of the eye, 0 straight ahead. */
    gaze: Math.abs(gazeOf(rightEye, landmarks.rightIris) + gazeOf(leftEye, landmarks.leftIris)) / 2,
    /** Contrast of the strongest thin line across the nose's bridge: 0.15 at most on bare skin. */
    bridgeLine: strongestLine(luma, pointOf(landmark.glabellaLower), pointOf(landmark.noseBridgeLower)),
    /** Median chroma of the face in Lab, and its hue in degrees. */
    chroma: Math.hypot(red, yellow),
    hue: (Math.atan2(yellow, red) * 180) / Math.PI,
    photoChroma: photoChroma(picture),
    ...tonesOf(picture, inFace, toCrop, points),
  };
}

const lumaOf = (rgb: Float32Array | Uint8Array, i: number): number =>
  0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2];

/** The median of values 0..255 over a mask, to a whole step. */
const medianIn = (mask: Uint8Array, read: (i: number) => number): number =>
  histogramMedian(
    mask.length,
    (i) => Math.round(read(i)),
    (i) => mask[i],
    0,
  );

function openingOf(points: Float32Array, eye: EyeGroup): number {
  const apart = (i: number, j: number): number =>
    Math.hypot(points[3 * i] - points[3 * j], points[3 * i + 1] - points[3 * j + 1]);
  const gap = [2, 3, 4].reduce((sum, k) => sum + apart(eye.upper[0][k], eye.lower[0][k]) / 3, 0);
  return gap / apart(eye.outer, eye.inner);
}

/**
 * How little the band of eyes and brows changes when it is blurred once more, the worse of across and down
 * (Crété, Dolmiere, Ladret, Nicolas: "The blur effect", 2007).
 */
function blurEffect(luma: Float32Array): number {
  let worst = 0;
  for (const step of [1, cropWidth]) {
    let all = 0;
    let lost = 0;
    for (let y = eyesAt.y - 25; y < eyesAt.y + 22; y++) {
      const row = y * cropWidth;
      for (let i = row + 30; i < row + 170; i++) {
        const change = Math.abs(luma[i] - luma[i - step]);
        // The mean of nine, against the one a step before: what is left of a difference is its two ends.
        const blurred = Math.abs(luma[i + 4 * step] - luma[i - 5 * step]) / 9;
        all += change;
        lost += Math.max(0, change - blurred);
      }
    }
    worst = Math.max(worst, all > 0 ? 1 - lost / all : 1);
  }
  return worst;
}

/**
 * The strongest thin line across the nose's bridge, dark or light, against the skin on both its sides. A
 * frame's bridge makes 0.5 and more, the wire of rimless glasses 0.2.
 */
function strongestLine(
  luma: Float32Array,
  top: readonly [number, number],
  bottom: readonly [number, number],
): number {
  const steps = 60;
  const reach = 5;
  const profile = Array.from({ length: steps }, (_, k) => {
    const t = k / (steps - 1);
    const x = top[0] + (bottom[0] - top[0]) * t;
    const row = Math.round(top[1] + (bottom[1] - top[1]) * t) * cropWidth;
    let sum = 0;
    for (let aside = -4; aside <= 4; aside++) sum += luma[row + Math.round(x + aside)];
    return sum / 9;
  });
  let strongest = 0;
  for (let k = reach; k < steps - reach; k++) {
    const beside = (profile[k - reach] + profile[k + reach]) / 2;
    strongest = Math.max(strongest, Math.abs(profile[k] - beside) / Math.max(20, beside));
  }
  return strongest;
}

/** Chroma that a twentieth of a coarse grid over the photo exceeds. */
function photoChroma({ data, width, height }: Picture): number {
  const step = Math.max(1, Math.round(Math.sqrt((width * height) / 4096)));
  const pixels: number[] = [];
  for (let y = 0; y < height; y += step)
    for (let i = 3 * y * width; i < 3 * (y + 1) * width; i += 3 * step)
      pixels.push(data[i], data[i + 1], data[i + 2]);
  const lab = toLab(Float32Array.from(pixels));
  const values = new Float64Array(lab.length / 3).map((_, i) =>
    Math.hypot(lab[3 * i + 1] - 128, lab[3 * i + 2] - 128),
  );
  values.sort();
  return values[Math.floor(0.95 * values.length)] ?? 0;
}

/**
 * Share of the face's pixels that are as good as equal to all their neighbours, 0..1, and how many of 256 tones hold at
 * least a five-hundredth of the face each; at full resolution, since scaling would smooth them away.
 */
function tonesOf(
  { data, width, height }: Picture,
  inFace: Uint8Array,
  toCrop: (x: number, y: number) => [number, number],
  points: Float32Array,
): { flat: number; tones: number } {
  const xs = oval.map((i) => points[3 * i]);
  const ys = oval.map((i) => points[3 * i + 1]);
  const right = Math.min(width - 2, Math.max(...xs));
  const bottom = Math.min(height - 2, Math.max(...ys));
  // For a large face every second or third pixel is enough.
  const step = Math.max(1, Math.round((Math.max(...xs) - Math.min(...xs)) / 220));
  const histogram = new Float32Array(256);
  let all = 0;
  let flat = 0;
  for (let y = Math.max(1, Math.ceil(Math.min(...ys))); y <= bottom; y += step) {
    for (let x = Math.max(1, Math.ceil(Math.min(...xs))); x <= right; x += step) {
      const [cx, cy] = toCrop(x, y);
      if (!inFace[Math.round(cy) * cropWidth + Math.round(cx)]) continue;
      const i = y * width + x;
      const middle = lumaOf(data, i);
      all++;
      if (
        Math.abs(lumaOf(data, i - 1) - middle) <= 1 &&
        Math.abs(lumaOf(data, i + 1) - middle) <= 1 &&
        Math.abs(lumaOf(data, i - width) - middle) <= 1 &&
        Math.abs(lumaOf(data, i + width) - middle) <= 1
      )
        flat++;
      histogram[Math.round(middle)] += 1;
    }
  }
  return {
    flat: flat / Math.max(1, all),
    tones: histogram.filter((count) => count > all / 500).length,
  };
}
