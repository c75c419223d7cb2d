import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that begins like a JPEG and differs by its number. */
export const photoBytes = (number: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    Buffer.from(`photo ${number}`),
    Buffer.alloc(2000, 7),
  ]);

/** Writes so many photos into a folder. */
export async function putPhotos(folder: string, count: number, from = 0): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (let number = from; number < from + count; number += 1) {
    const path = join(folder, `photo-${String(number).padStart(3, '0')}.jpg`);
    await writeFile(path, photoBytes(number));
    paths.push(path);
  }
  return paths;
}
