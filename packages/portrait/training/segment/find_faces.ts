/**
 * Finds the face of each photo of a folder with the engine's landmarks. Writes one JSON line per photo: the head crop
 * for the network, and the face's outline in the photo.
 *
 * node find_faces.ts FOLDER FACES.jsonl
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { extname, join, parse } from 'node:path';
import { loadFaceNetworks } from '../../src/landmarks/face_networks.ts';
import { decodePhoto, openPortrait } from '../../src/photo/photo.ts';
import { lookCloser } from '../../src/preflight/closer_look.ts';
import { cropHead } from '../../src/segment/head_crop.ts';
import { oval } from '../../src/topology/face_topology.ts';

const [folder = '', out = ''] = process.argv.slice(2);
const networks = await loadFaceNetworks();
const lines: string[] = [];
for (const file of readdirSync(folder).sort()) {
  if (!['.jpg', '.png'].includes(extname(file))) continue;
  try {
    const opened = await openPortrait(join(folder, file));
    const whole = await decodePhoto(opened);
    const { checked, picture, part } = await lookCloser(networks, opened, whole, true);
    if (part) throw new Error('its face is too small in the photo');
    const { landmarks } = checked;
    const { map, width, height, axis, halfFace, chin, forehead } = cropHead(picture, landmarks);
    const outline = oval.map((i) => [landmarks.points[3 * i], landmarks.points[3 * i + 1]]);
    const photo = { width: picture.width, height: picture.height };
    lines.push(
      JSON.stringify({
        name: parse(file).name,
        photo,
        crop: { map, width, height, axis, halfFace, chin, forehead },
        outline,
      }),
    );
  } catch (error) {
    console.error(`${file} is left out: ${(error as Error).message}`);
  }
}
writeFileSync(out, `${lines.join('\n')}\n`);
console.log(`${lines.length} faces`);
