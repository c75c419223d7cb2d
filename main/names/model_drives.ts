import { renameSync } from 'node:fs';
import { t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { quarantinePath } from '@likeness/node-kit/storage/quarantine.ts';
import { driveLimits } from '@likeness/proto/face/shape_drives.ts';
import { z } from 'zod';
import { ShapeDriveRow } from '#contract';

/** Version of the file. One of a newer studio is left unchanged. */
const schemaVersion = 1;
/** Maximum number of heads with custom mappings. */
const maxHeads = 5000;

const OwnRows = z.array(ShapeDriveRow).max(driveLimits.rows);
const DrivesFile = z.object({ schemaVersion: z.number().int(), heads: z.record(z.string(), OwnRows) });
export type OwnRows = z.output<typeof OwnRows>;

/** The user's mappings from face channels to a head's shapes, by head id; the default head's id is empty. */
export interface ModelDrives {
  /** Empty if nothing was set. */
  of(modelId: string | null): OwnRows;
  /**
   * Replaces a head's mapping; none: resets it to the default. @throws Failure `conflict` for too many heads,
   * `storage`
   */
  save(modelId: string | null, rows: OwnRows): Promise<void>;
  /** @throws Failure `storage` */
  erase(modelIds: readonly string[]): Promise<void>;
  /** The problem of the file at the start, for the log; null if none. */
  readonly problem: string | null;
}

/**
 * @param clock milliseconds since 1970
 * @throws Failure `storage` if the file can't be read, or was written by a newer studio
 */
export async function openModelDrives(path: string, clock: () => number): Promise<ModelDrives> {
  let problem: string | null = null;
  let heads: Readonly<Record<string, OwnRows>> = {};
  const bytes = await readFileIfThere(path);
  const read = bytes && readDrives(bytes.toString('utf8'));
  if (read) heads = read;
  else if (bytes) {
    const kept = quarantinePath(path, clock());
    renameSync(path, kept);
    problem = `What drives the shapes of heads was damaged and is kept as ${kept}.`;
  }
  // Serializes writes: each begins with the result of the one before.
  const inTurn = createMutex();
  const change = (next: () => Readonly<Record<string, OwnRows>>): Promise<void> =>
    inTurn(async () => {
      const changed = next();
      if (changed === heads) return;
      await writeFileAtomically(path, `${JSON.stringify({ schemaVersion, heads: changed })}\n`);
      heads = changed;
    });
  return {
    problem,
    of: (modelId) => heads[modelId ?? ''] ?? [],
    save: (modelId, rows) =>
      change(() => {
        const { [modelId ?? '']: _, ...others } = heads;
        if (rows.length === 0) return others;
        if (Object.keys(others).length >= maxHeads)
          throw new Failure('conflict', t('names.too_many_heads', { most: maxHeads }), {
            hint: t('names.reset_one'),
          });
        return { ...others, [modelId ?? '']: rows };
      }),
    erase: (modelIds) =>
      change(() => {
        const gone = new Set(modelIds);
        const kept = Object.entries(heads).filter(([id]) => !gone.has(id));
        return kept.length === Object.keys(heads).length ? heads : Object.fromEntries(kept);
      }),
  };
}

function readDrives(text: string): Record<string, OwnRows> | null {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return null;
  }
  const version = z.object({ schemaVersion: z.number().int() }).safeParse(stored);
  if (version.success && version.data.schemaVersion > schemaVersion) {
    throw new Failure('storage', t('names.drives_newer', { version: version.data.schemaVersion }), {
      hint: t('storage.update_file'),
    });
  }
  return DrivesFile.safeParse(stored).data?.heads ?? null;
}
