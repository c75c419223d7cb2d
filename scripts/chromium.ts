import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages, mayInstallDebianPackages } from './debian.ts';

/**
 * Flags under which the tests' Chromium runs: ANGLE on the system's EGL renders 2.4 times faster than
 * SwiftShader without a GPU; compositing on the CPU, Chromium's default on such a machine, because through an
 * emulated GL it takes 19 ms per changed frame; a root user (containers, CI) can't have Chromium's own
 * sandbox; no background traffic.
 */
export const chromiumFlags: string[] = [
  '--use-angle=gl-egl',
  '--ignore-gpu-blocklist',
  '--disable-gpu-compositing',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const wellKnown = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(process.env.ProgramFiles ?? 'C:\\Program Files', 'Google/Chrome/Application/chrome.exe'),
  join(
    process.env['ProgramFiles(x86)'] ?? 'C:\\Program Files (x86)',
    'Microsoft/Edge/Application/msedge.exe',
  ),
];

/** The Chromium to test with: `LIKENESS_CHROMIUM`, else one on the PATH, else one in its usual place. */
export function findChromium(): string | null {
  const named = process.env.LIKENESS_CHROMIUM;
  if (named) return existsSync(named) ? named : null;
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...wellKnown].find((file) => existsSync(file)) ?? null;
}

/** Debian's packages that the tests need: the browser, and Mesa so that it can draw without a GPU. */
export const debianPackages = [
  'chromium',
  'libgl1-mesa-dri',
  'libegl1',
  'libegl-mesa0',
  'libgl1',
  'fonts-noto-cjk',
];

/**
 * Finds Chromium, or installs Debian's where we may, and says what it did. Throws with what to do where it
 * can't.
 */
export function ensureChromium(say: (line: string) => void): string {
  const found = findChromium();
  if (found) {
    say(`Chromium: ${found}`);
    return found;
  }
  if (process.env.LIKENESS_CHROMIUM) {
    throw new Error(`LIKENESS_CHROMIUM names ${process.env.LIKENESS_CHROMIUM}, and nothing is there.`);
  }
  if (mayInstallDebianPackages()) {
    say(`Chromium: none found; installing Debian's packages ${debianPackages.join(' ')} …`);
    installDebianPackages(debianPackages);
    const installed = findChromium();
    if (installed) {
      say(`Chromium: installed ${installed}`);
      return installed;
    }
  }
  throw new Error(
    'No Chromium found. Install Chromium or Chrome (on Debian/Ubuntu: sudo apt-get install chromium), or name one in LIKENESS_CHROMIUM.',
  );
}
