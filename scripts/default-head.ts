/** Makes the head that ships with the studio: `node scripts/default-head.ts <file.glb>`. */
import { writeFileSync } from 'node:fs';
import { defaultHead } from '../main/engine/portrait/index.ts';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name the file to write.');
writeFileSync(file, await defaultHead());
// The vision runtime keeps timers and a loopback server that would hold the process.
process.exit(0);
