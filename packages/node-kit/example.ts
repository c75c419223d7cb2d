import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { safeName } from '@likeness/node-kit/storage/safe_name.ts';

// After a power cut at any moment the file has its old content or the new, never a part.
const path = `${safeName('Ada: front / left?')}.json`;
await writeFileAtomically(path, JSON.stringify({ rating: 5 }));

const text = await readFileIfThere(path);
console.log(path, String(text));
console.log(await readFileIfThere('missing.json'));
