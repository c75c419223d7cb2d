import { chownSync, statSync } from 'node:fs';

/** Gives a file that root created in another user's folder to that user, who couldn't read it otherwise. */
export function giveToOwnerOf(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}
