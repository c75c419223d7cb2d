import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

function isDebian(): boolean {
  try {
    return /^(ID|ID_LIKE)=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/** Whether this process may install Debian packages: as root, on Debian or a derivative. */
export const mayInstallDebianPackages = (): boolean => isDebian() && process.getuid?.() === 0;

/** Installs Debian packages without recommended ones. @returns false if apt failed. */
export function installDebianPackages(packages: readonly string[]): boolean {
  const apt = (...words: string[]): boolean =>
    spawnSync('apt-get', words, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  apt('update', '-qq');
  return apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
}
