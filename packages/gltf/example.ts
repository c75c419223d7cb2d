import { readFile, writeFile } from 'node:fs/promises';
import { builtInTable, convertHead } from '@likeness/gltf';

const { files, moving } = await convertHead(await readFile(process.argv[2] ?? 'head.glb'), {
  format: 'fbx',
  table: builtInTable('arkit'),
  stem: 'head',
  about: { name: 'Head' },
});
for (const { name, data } of files) await writeFile(name, data);
console.log(`${files.map(({ name }) => name).join(', ')}: ${moving} face shapes`);
