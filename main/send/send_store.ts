import { renameSync } from 'node:fs';
import { type Message, t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { quarantinePath } from '@likeness/node-kit/storage/quarantine.ts';
import { z } from 'zod';
import { defaultPorts, SendTargetFields, type ViewerAppearance, viewerAppearanceFields } from '#contract';

/** Version of the file. One of a newer studio is left unchanged. */
const schemaVersion = 1;

const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const Kept = z.object({
  /** The id by which Unreal recognizes this studio. */
  deviceId: z.uuid(),
  targets: z.array(SendTargetFields.extend({ id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) })).max(16),
  viewers: z.object({
    on: z.boolean(),
    port: z.number().int().min(1).max(65_535),
    look: viewerAppearanceFields,
    /**
     * Tokens in the addresses of page and socket; stored, so that the addresses work again after a restart.
     */
    pageToken: token,
    socketToken: token,
  }),
});
/** The user's settings for sending. */
export type KeptSending = z.output<typeof Kept>;
export type KeptTarget = KeptSending['targets'][number];

export const maxTargets = 16;
export const defaultAppearance: ViewerAppearance = {
  modelId: null,
  background: 'none',
  framing: 'shoulders',
  mirror: false,
};

export interface SendStore {
  get(): KeptSending;
  /** @throws Failure `storage`; then nothing has changed */
  change(next: (now: KeptSending) => KeptSending): Promise<KeptSending>;
  /** The problem of the file at the start; null if none. */
  readonly problem: Message | null;
}

export interface SendStoreOptions {
  path: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  newToken: () => string;
  newDeviceId: () => string;
}

/** @throws Failure `storage` if the file can't be read, or was written by a newer studio */
export async function openSendStore({
  path,
  clock,
  newToken,
  newDeviceId,
}: SendStoreOptions): Promise<SendStore> {
  let current: KeptSending = {
    deviceId: newDeviceId(),
    targets: [],
    viewers: {
      on: false,
      port: defaultPorts.viewers,
      look: defaultAppearance,
      pageToken: newToken(),
      socketToken: newToken(),
    },
  };
  let problem: Message | null = null;
  const bytes = await readFileIfThere(path);
  if (bytes) {
    const read = readKept(bytes.toString('utf8'));
    if (read) current = read;
    else {
      const kept = quarantinePath(path, clock());
      renameSync(path, kept);
      problem = t('send.damaged', { kept });
    }
  }
  const inTurn = createMutex();
  return {
    problem,
    get: () => current,
    change: (next) =>
      inTurn(async () => {
        const changed = next(current);
        await writeFileAtomically(path, `${JSON.stringify({ schemaVersion, ...changed }, null, 2)}\n`);
        current = changed;
        return current;
      }),
  };
}

/** @returns null if it is invalid @throws Failure `storage` if a newer studio wrote it */
function readKept(text: string): KeptSending | null {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return null;
  }
  const version = Number((stored as { schemaVersion?: unknown } | null)?.schemaVersion ?? 0);
  if (version > schemaVersion) {
    throw new Failure('storage', t('send.newer', { version }), { hint: t('storage.update_file') });
  }
  return Kept.safeParse(stored).data ?? null;
}
