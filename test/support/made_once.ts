import { createHash } from 'node:crypto';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { withFileLock } from '@likeness/node-kit/storage/file_lock.ts';

const digestLength = 32;
const digest = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** The bytes of a file that begins with their hash; undefined where it is missing, cut short or changed. */
async function readKept(path: string): Promise<Buffer | undefined> {
  const whole = await readFileIfThere(path);
  if (!whole || whole.byteLength < digestLength) return undefined;
  const data = whole.subarray(digestLength);
  return digest(data).equals(whole.subarray(0, digestLength)) ? data : undefined;
}

/** The bytes kept at `path`; where there are none, one process makes them and the others wait for it. */
export async function madeOnce(path: string, make: () => Promise<Uint8Array>): Promise<Buffer> {
  const kept = await readKept(path);
  if (kept) return kept;
  return withFileLock(
    `${path}.lock`,
    async () => {
      const other = await readKept(path);
      if (other) return other;
      const data = await make();
      await writeFileAtomically(path, Buffer.concat([digest(data), data]));
      return Buffer.from(data);
    },
    { waitMs: 240_000 },
  );
}
