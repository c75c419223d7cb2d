import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

const root = join(import.meta.dirname, '../..');

export type FoundElectron = { program: string; why: null } | { program: null; why: string };

/**
 * Electron's own program, where it is here and runs: what `npx electron --version` would answer, without that
 * command's attempt to download it. Else the reason, for the line that says so.
 */
export function findElectron(): FoundElectron {
  const missing = (why: string): FoundElectron => ({ program: null, why });
  const folder = join(root, 'node_modules/electron');
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return missing('its runtime is not installed (npx install-electron gets it)');
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist');
  const program = join(dist, readFileSync(pathFile, 'utf8').trim());
  if (!existsSync(program)) return missing(`${program} is not there`);
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return missing('there is no display (xvfb-run gives one)');
  }
  const { status, stdout, error } = spawnSync(program, ['--version', ...switches], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return status === 0 && /^v\d+\./.test(stdout.trim())
    ? { program, why: null }
    : missing(`it does not run here (${error?.message ?? `it ended with ${status}`})`);
}

/**
 * Chromium's own sandbox can't be had as root (containers, CI); the page's sandbox flag is another matter.
 */
const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export interface RunningElectron {
  application: ElectronApplication;
  /** The studio's window, loaded. */
  page: Page;
  stop(): Promise<void>;
}

/** Opens the built studio in a real Electron, on the data folder `home`. */
export async function startElectron(program: string, home: string): Promise<RunningElectron> {
  const application = await _electron.launch({
    executablePath: program,
    args: [
      root,
      ...switches,
      '--lang=en-US',
      '--use-fake-device-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
    cwd: root,
    env: { ...(process.env as Record<string, string>), LIKENESS_HOME: home },
  });
  const page = await application.firstWindow();
  await page.waitForURL('likeness://app/**');
  await page.waitForLoadState('domcontentloaded');
  return { application, page, stop: () => application.close() };
}
