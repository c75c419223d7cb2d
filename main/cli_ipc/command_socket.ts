import { randomBytes } from 'node:crypto';
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { z } from 'zod';

/**
 * The address at which a running studio accepts commands from its user's command line. It is not a network
 * address: a socket in the file system for its owner only, or on Windows a pipe with an unguessable name. A
 * client must also send the token, which is in a file with mode 0600.
 */
const CommandSocket = z.object({
  protocol: z.number().int(),
  version: z.string().max(256),
  pid: z.number().int().positive(),
  address: z.string().min(1).max(1024),
  token: z.string().min(32).max(256),
});
export type CommandSocket = z.output<typeof CommandSocket>;

const addressFile = (folder: string): string => join(folder, 'instance.commands');
const socketFile = (folder: string): string => join(folder, 'instance.socket');

/** Longest socket path that every system accepts, bytes (macOS: 104 including the terminator). */
const longestSocketPath = 100;

/**
 * Creates a new address and token, and removes those of an earlier studio. The caller must hold the data
 * folder's instance lock.
 */
export function newCommandSocket(
  folder: string,
  studio: Pick<CommandSocket, 'protocol' | 'version' | 'pid'>,
): CommandSocket {
  removeCommandSocket(folder, null);
  return { ...studio, address: newAddress(folder), token: randomBytes(32).toString('base64url') };
}

function newAddress(folder: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\likeness-${randomBytes(24).toString('hex')}`;
  const beside = socketFile(folder);
  if (Buffer.byteLength(beside) <= longestSocketPath) return beside;
  return join(mkdtempSync(join(tmpdir(), 'likeness-')), 'socket');
}

/** Announces the address to the user's command lines. @throws Failure `storage` */
export const announceCommandSocket = (folder: string, point: CommandSocket): Promise<void> =>
  writeFileAtomically(addressFile(folder), JSON.stringify(point));

/**
 * Removes the announcement of a studio that has exited.
 *
 * @param address - Of this studio; null if unknown.
 */
export function removeCommandSocket(folder: string, address: string | null): void {
  rmSync(addressFile(folder), { force: true });
  rmSync(socketFile(folder), { force: true });
  if (process.platform !== 'win32' && address !== null && address !== socketFile(folder))
    rmSync(dirname(address), { recursive: true, force: true });
}

/**
 * Reads the announcement of a running studio; null if there is none. A killed studio leaves its announcement
 * behind; then nothing answers at the address.
 *
 * @returns `foreign` if another user owns it or may read or write it: do not trust it.
 */
export async function readCommandSocket(folder: string): Promise<CommandSocket | 'foreign' | null> {
  const path = addressFile(folder);
  const bytes = await readFileIfThere(path);
  if (!bytes) return null;
  const parsed = CommandSocket.safeParse(jsonOf(bytes));
  if (isOwn(path) === false) return 'foreign';
  if (!parsed.success) return null;
  // A missing socket is harmless, but another user's socket would receive the token.
  if (process.platform !== 'win32' && isOwn(parsed.data.address) === false) return 'foreign';
  return parsed.data;
}

/** Whether only this user may read or write a file; null if it does not exist. */
function isOwn(path: string): boolean | null {
  if (process.platform === 'win32') return true;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0 && !found.isSymbolicLink();
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
