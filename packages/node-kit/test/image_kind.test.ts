import { expect, test } from 'vitest';
import { imageKind, imageType } from '../src/image_kind.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each([
  ['\xff\xd8\xff\xe0', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'webp'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['GIF87a', 'gif'],
  ['GIF89a', 'gif'],
  ['BM', 'bmp'],
  ['\0\0\0\x18ftypavif\0\0\0\0mif1', 'avif'],
  ['\0\0\0\x18ftypavis\0\0\0\0', 'avif'],
  ['\0\0\0\x18ftypheic\0\0\0\0mif1', 'heic'],
  ['\0\0\0\x18ftyphevx\0\0\0\0', 'heic'],
  // The container's own brand: what is in it stands among the compatible ones.
  ['\0\0\0\x18ftypmif1\0\0\0\0mif1avif', 'avif'],
  ['\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'heic'],
  ['\0\0\0\x18ftypmsf1\0\0\0\0', 'heic'],
  ['\0\0\0\x18ftypisom\0\0\0\0mp41', null],
  ['GIF8', null],
  ['RIFF\0\0\0\0WAVEfmt ', null],
  ['<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['', null],
])('%j is a picture of kind %s', (text, kind) => {
  expect(imageKind(bytes(text))).toBe(kind);
});

test('what follows the head says nothing', () => {
  expect(imageKind(bytes(`\0\0\0\x18ftypmif1\0\0\0\0mif1heic${' '.repeat(20)}avif`))).toBe('heic');
});

test('a kind has the media type and extension that it is sent with', () => {
  expect(imageType('jpeg')).toEqual({ mediaType: 'image/jpeg', extension: '.jpg' });
  expect(imageType('tiff')).toEqual({ mediaType: 'image/tiff', extension: '.tif' });
});
