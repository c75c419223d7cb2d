import { mapHair } from '@likeness/portrait/hair/hair_map.ts';
import { loadFaceNetworks } from '@likeness/portrait/landmarks/face_networks.ts';
import { toLab } from '@likeness/portrait/photo/lab_colour.ts';
import { decodePhoto, openPortrait } from '@likeness/portrait/photo/photo.ts';
import { pictureToCrop, readGrid } from '@likeness/portrait/photo/picture_sampling.ts';
import { lookCloser } from '@likeness/portrait/preflight/closer_look.ts';
import { prepareSilhouette } from '@likeness/portrait/segment/silhouette.ts';
import { wholePicture } from '@likeness/proto/crop.ts';
import { refinedShare, refineShares } from './guided_filter.ts';

/** Where the engine sees hair and the person in a photo: one byte a pixel of the whole photo. */
export interface PhotoMasks {
  readonly width: number;
  readonly height: number;
  readonly hair: Uint8Array;
  readonly person: Uint8Array;
  /** Area of the face, pixels of these masks. */
  readonly faceArea: number;
  /** Individual typology angle of the face's skin, degrees. */
  readonly skinTone: number;
  /** Time for both masks, once the face is found. */
  readonly milliseconds: number;
}

/** @throws PortraitError where the photo has no usable face */
export async function photoMasks(photo: string): Promise<PhotoMasks> {
  const opened = await openPortrait(photo);
  const whole = await decodePhoto(opened);
  const networks = await loadFaceNetworks();
  const { checked, picture, part } = await lookCloser(networks, opened, whole, true);
  const { landmarks } = checked;
  const start = performance.now();
  const cut = prepareSilhouette(picture, landmarks, networks.segmentation)(undefined);
  const { hair, skinColour } = mapHair(cut);
  const { person, map } = cut;
  const refined = refineShares(hair, cut.rgb, cut.width, cut.height);
  const milliseconds = performance.now() - start;
  const { width, height } = whole;
  const partSeen = part ?? wholePicture;
  /** The values of all pixels of the photo, by their index in the picture and their position in the crop. */
  const pasted = (shareAt: (o: number, cx: number, cy: number) => number): Uint8Array => {
    const out = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const px = (((x + 0.5) / width - partSeen.x) / partSeen.width) * picture.width;
        const py = (((y + 0.5) / height - partSeen.y) / partSeen.height) * picture.height;
        const [cx, cy] = pictureToCrop(map, px, py);
        if (cx < 0 || cy < 0 || cx >= cut.width || cy >= cut.height) continue;
        const pixel = Math.floor(py) * picture.width + Math.floor(px);
        out[y * width + x] = Math.round(255 * shareAt(3 * pixel, cx, cy));
      }
    }
    return out;
  };
  const perPixel = Math.hypot(map.a, map.b) * ((partSeen.width * width) / picture.width);
  return {
    width,
    height,
    hair: pasted((o, cx, cy) => refinedShare(refined, picture.data, o, cx, cy)),
    person: pasted((_, cx, cy) => readGrid(person, cut.width, cut.height, cx, cy)),
    faceArea: cut.inFace.reduce((sum, value) => sum + value, 0) * perPixel ** 2,
    skinTone: typologyAngle(skinColour),
    milliseconds,
  };
}

function typologyAngle(colour: readonly number[]): number {
  const [lightness, , yellow] = toLab(Float32Array.from(colour));
  return (Math.atan2(lightness! / 2.55 - 50, yellow! - 128) * 180) / Math.PI;
}
