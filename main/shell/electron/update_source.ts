import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { NoUpdates } from '../shell.ts';
import { publicKeyFrom } from './update_signature.ts';

/** Where new versions of this build come from. */
export interface UpdateSource {
  /** Folder of announcements and installers; ends with a slash. */
  base: URL;
  key: KeyObject;
}

/** What the release build writes into `package.json`; empty in a clone. */
const Built = z.object({
  likeness: z.object({ updates: z.object({ url: z.string(), publicKey: z.string() }) }),
});

export interface UpdateSourceOptions {
  packageFile: string;
  packaged: boolean;
  platform: NodeJS.Platform;
  resourcesPath: string;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Where this build's new versions come from, or why there are none for it. */
export function updateSource(options: UpdateSourceOptions): UpdateSource | NoUpdates {
  const { packageFile, packaged } = options;
  if (!packaged) return 'not_installed';
  const { data } = Built.safeParse(JSON.parse(readFileSync(packageFile, 'utf8')));
  const { url = '', publicKey = '' } = data?.likeness.updates ?? {};
  const key = publicKeyFrom(publicKey);
  if (!key || !/^https:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(url) || !URL.canParse(url)) return 'no_address';
  if (!replacesItself(options)) return 'other_means';
  return { base: new URL(url.endsWith('/') ? url : `${url}/`), key };
}

/** Whether it was installed in a way that electron-updater can install over: not a portable program or a bare folder. */
function replacesItself({ platform, resourcesPath, environment }: UpdateSourceOptions): boolean {
  if (platform === 'darwin') return true;
  if (platform === 'win32') return environment.PORTABLE_EXECUTABLE_FILE === undefined;
  if (environment.APPIMAGE) return true;
  // electron-builder writes what it packed into.
  const type = join(resourcesPath, 'package-type');
  return existsSync(type) && readFileSync(type, 'utf8').trim() === 'deb';
}
