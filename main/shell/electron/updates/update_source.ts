import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { NoUpdates } from '../../shell.ts';
import { publicKeyFrom } from './update_signature.ts';

/** Source of new versions of this build. */
export interface UpdateSource {
  /** Folder of announcements and installers; ends with a slash. */
  base: URL;
  key: KeyObject;
  /** How this program was installed, which determines how to replace it. */
  installed: Installed;
}

export type Installed = 'nsis' | 'mac' | 'appimage' | 'deb';

/** Written into `package.json` by the release build; empty in a clone. */
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

/** Returns this build's update source, or why it has none. */
export function updateSource(options: UpdateSourceOptions): UpdateSource | NoUpdates {
  const { packageFile, packaged } = options;
  if (!packaged) return 'not_installed';
  const { data } = Built.safeParse(JSON.parse(readFileSync(packageFile, 'utf8')));
  const { url = '', publicKey = '' } = data?.likeness.updates ?? {};
  const key = publicKeyFrom(publicKey);
  if (!key || !/^https:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(url) || !URL.canParse(url)) return 'no_address';
  const installed = installedAs(options);
  if (!installed) return 'other_means';
  return { base: new URL(url.endsWith('/') ? url : `${url}/`), key, installed };
}

/**
 * Null if electron-updater can't replace the installation: a portable program or a bare folder. Both Linux
 * packages are made from one folder, into which electron-builder writes `package-type` for the deb: an
 * AppImage may contain it, too.
 */
function installedAs({ platform, resourcesPath, environment }: UpdateSourceOptions): Installed | null {
  if (platform === 'darwin') return 'mac';
  if (platform === 'win32') return environment.PORTABLE_EXECUTABLE_FILE === undefined ? 'nsis' : null;
  if (environment.APPIMAGE) return 'appimage';
  const type = join(resourcesPath, 'package-type');
  return existsSync(type) && readFileSync(type, 'utf8').trim() === 'deb' ? 'deb' : null;
}
