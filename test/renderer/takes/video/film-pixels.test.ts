import { describe, expect, test } from 'vitest';
import type { DrawnHead } from '../../../../renderer/speaking/film/film-stage.ts';
import {
  alphaPicture,
  edgeColour,
  rgbaPicture,
  rgbOf,
  Yuv,
} from '../../../../renderer/takes/video/film-pixels.ts';
import { pngOf } from '../../../../renderer/takes/video/png-picture.ts';

const size = { width: 6, height: 4 };

/** Two by two pixels at (2, 0), the lowest row first: solid red above, half red (multiplied) and nothing below. */
const drawn: DrawnHead = {
  area: { left: 2, top: 0, width: 2, height: 2 },
  pixels: Uint8Array.from([100, 0, 0, 128, 0, 0, 0, 0, 200, 0, 0, 255, 200, 0, 0, 255]),
};
const pixel = (picture: Uint8Array, x: number, y: number): number[] => [
  ...picture.subarray((y * size.width + x) * 4, (y * size.width + x) * 4 + 4),
];

describe('a drawn head', () => {
  test('stands on nothing with straight alpha', () => {
    const picture = rgbaPicture(drawn, size, null);
    expect(pixel(picture, 2, 0)).toEqual([200, 0, 0, 255]);
    expect(pixel(picture, 2, 1)).toEqual([199, 0, 0, 128]);
    expect(pixel(picture, 3, 1)).toEqual([0, 0, 0, 0]);
    expect(pixel(picture, 0, 0)).toEqual([0, 0, 0, 0]);
  });

  test('lets a colour through its edge', () => {
    const picture = rgbaPicture(drawn, size, rgbOf('#0000ff'));
    expect(pixel(picture, 2, 0)).toEqual([200, 0, 0, 255]);
    expect(pixel(picture, 2, 1)).toEqual([100, 0, 127, 255]);
    expect(pixel(picture, 5, 3)).toEqual([0, 0, 255, 255]);
  });

  test('lets a picture through its edge, pixel by pixel', () => {
    const picture = Uint8Array.from({ length: 6 * 4 * 3 }, (_, at) => at);
    const over = rgbaPicture(drawn, size, picture);
    expect(pixel(over, 2, 0)).toEqual([200, 0, 0, 255]);
    expect(pixel(over, 5, 3)).toEqual([69, 70, 71, 255]);
    const [, green] = pixel(over, 2, 1);
    expect(green).toBe(Math.floor((picture[(6 + 2) * 3 + 1]! * 127) / 255 + 0.5));
    const yuv = new Yuv(size, picture).picture(drawn, true);
    const grey = new Yuv(size, { red: 69, green: 70, blue: 71 }).picture(drawn, true);
    expect(yuv[23]).toBe(grey[23]);
    expect(yuv[0]).toBeLessThan(yuv[23]!);
  });

  test('has its alpha as brightness', () => {
    const picture = alphaPicture(drawn, size);
    expect([...picture.subarray(0, 12)]).toEqual([0, 0, 255, 255, 0, 0, 0, 0, 128, 0, 0, 0]);
    expect([...picture.subarray(24)]).toEqual(Array(12).fill(128));
  });

  test('says what its edge looks like', () =>
    expect(edgeColour(drawn)).toEqual({ red: 200, green: 0, blue: 0 }));

  test.each([
    ['#ffffff', 235, 128, 128],
    ['#000000', 16, 128, 128],
    ['#ff0000', 63, 102, 240],
    ['#00ff00', 173, 42, 26],
    ['#0000ff', 32, 240, 118],
  ])('%s is as BT.709 has it', (colour, y, u, v) => {
    const picture = new Yuv(size, rgbOf(colour)).picture(
      { area: { left: 0, top: 0, width: 2, height: 2 }, pixels: new Uint8Array(16) },
      true,
    );
    expect([picture[0], picture[24], picture[30]]).toEqual([y, u, v]);
    // What is drawn over it and what is only behind it are the same.
    expect([picture[4], picture[26], picture[32]]).toEqual([y, u, v]);
  });

  test('keeps its colours in a PNG, even where it is thin', async () => {
    const thin = Uint8Array.from([10, 200, 30, 1, 255, 255, 255, 255, 1, 2, 3, 0, 90, 80, 70, 60]);
    const bytes = await pngOf(thin, { width: 2, height: 2 });
    const options = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' } as const;
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }), options);
    const gl = new OffscreenCanvas(2, 2).getContext('webgl2')!;
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    const target = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferTexture2D(
      gl.FRAMEBUFFER,
      gl.COLOR_ATTACHMENT0,
      gl.TEXTURE_2D,
      gl.getParameter(gl.TEXTURE_BINDING_2D),
      0,
    );
    const read = new Uint8Array(16);
    gl.readPixels(0, 0, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, read);
    expect([...read]).toEqual([...thin]);
  });
});
