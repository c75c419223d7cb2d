import { writeFile } from 'node:fs/promises';
import { defaultHead } from '@likeness/synthetic-heads';

const glb = await defaultHead('man');
await writeFile('man.glb', glb);
console.log(`man.glb: ${glb.length} bytes`);
process.exit(0);
