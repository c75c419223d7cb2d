import { chownSync, statSync } from 'node:fs';

/** Gives a file that root has made in somebody else's folder to that somebody, who couldn't read it otherwise. */
export function giveToOwnerOf(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}
