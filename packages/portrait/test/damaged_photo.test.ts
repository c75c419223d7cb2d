import sharp from 'sharp';
import { expect, it } from 'vitest';
import { reportPhoto } from '../src/preflight/photo_report.ts';

const codesOf = async (photo: Uint8Array): Promise<string[]> =>
  (await reportPhoto(photo, null)).findings.map(({ code }) => code);

/** A picture with no face in it, detailed enough that its middle is many bytes. */
async function pictureWithoutFace(): Promise<Buffer> {
  const [width, height] = [480, 600];
  const pixels = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, at) => (at * 7919 + (at >> 7) * 31) % 251),
  );
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

it('a JPEG with damaged bytes in its middle is a damaged one, and not one without a face', async () => {
  const whole = await pictureWithoutFace();
  expect(await codesOf(whole)).toEqual(['no_face']);
  const damaged = Buffer.from(whole);
  // A marker where none can be, and noise after it: decoders go on, with stripes.
  const middle = Math.round(damaged.length / 2);
  for (let at = 0; at < 400; at += 1) damaged[middle + at] = at % 3 === 0 ? 0xff : (at * 37) % 256;
  expect(await codesOf(damaged)).toEqual(['damaged_image']);
});
