import type { Sex } from '@likeness/portrait/contract/head_request.ts';
import { mapHair } from '@likeness/portrait/hair/hair_map.ts';
import { loadFaceNetworks } from '@likeness/portrait/landmarks/face_networks.ts';
import { cropHead } from '@likeness/portrait/matte/head_crop.ts';
import { findPerson } from '@likeness/portrait/matte/person_mask.ts';
import { prepareSilhouette } from '@likeness/portrait/matte/silhouette.ts';
import { toLab } from '@likeness/portrait/photo/lab_colour.ts';
import { decodePhoto, openPortrait } from '@likeness/portrait/photo/photo.ts';
import { pictureToCrop, readGrid } from '@likeness/portrait/photo/picture_sampling.ts';
import { lookCloser } from '@likeness/portrait/preflight/closer_look.ts';
import { wholePicture } from '@likeness/proto/crop.ts';

/** Where the engine sees hair and the person in a photo: one byte a pixel of the whole photo. */
export interface PhotoMasks {
  readonly width: number;
  readonly height: number;
  readonly hair: Uint8Array;
  readonly person: Uint8Array;
  /** Of the face's outline, pixels of these masks. */
  readonly faceArea: number;
  /** Individual typology angle of the face's skin, degrees. */
  readonly skinTone: number;
  /** Time for both masks, once the face is found. */
  readonly milliseconds: number;
}

/** @throws PortraitError where the photo has no usable face */
export async function photoMasks(photo: string, sex: Sex): Promise<PhotoMasks> {
  const opened = await openPortrait(photo);
  const whole = await decodePhoto(opened);
  const networks = await loadFaceNetworks();
  const { checked, picture, part } = await lookCloser(networks, opened, whole, true);
  const { landmarks, fit } = checked;
  const start = performance.now();
  const cut = prepareSilhouette(picture, landmarks, fit.pose.yaw, networks.person)(undefined);
  const hairMap = mapHair(cut, sex);
  const milliseconds = performance.now() - start;
  const crop = cropHead(picture, landmarks, fit.pose.yaw);
  const personSeen = findPerson(networks.person, picture, crop) ?? new Float32Array(cut.mask.length);
  const { width, height } = whole;
  const place = part ?? wholePicture;
  const pasted = (values: Float32Array): Uint8Array => {
    const out = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const px = (((x + 0.5) / width - place.x) / place.width) * picture.width;
        const py = (((y + 0.5) / height - place.y) / place.height) * picture.height;
        const [cx, cy] = pictureToCrop(cut.map, px, py);
        if (cx < 0 || cy < 0 || cx >= cut.width || cy >= cut.height) continue;
        out[y * width + x] = Math.round(255 * readGrid(values, cut.width, cut.height, cx, cy));
      }
    }
    return out;
  };
  const perPixel = crop.scale * ((place.width * width) / picture.width);
  return {
    width,
    height,
    hair: pasted(hairMap.any ? hairMap.hair : new Float32Array(cut.mask.length)),
    person: pasted(personSeen),
    faceArea: crop.inFace.reduce((sum, value) => sum + value, 0) * perPixel ** 2,
    skinTone: typologyAngle(hairMap.skinColour),
    milliseconds,
  };
}

function typologyAngle(colour: readonly number[]): number {
  const [lightness, , yellow] = toLab(Float32Array.from(colour));
  return (Math.atan2(lightness! / 2.55 - 50, yellow! - 128) * 180) / Math.PI;
}
