import { findChromium, softwareDrawingFlags } from '../main/shell/browser/chromium.ts';
import { installDebianPackages, mayInstallDebianPackages } from './debian.ts';

/**
 * Chromium flags for the tests:
 *
 * - Compositing runs on the CPU, Chromium's default on such a machine: through an emulated GL it takes 19 ms
 * per changed frame.
 * - A root user (containers, CI) can't have Chromium's sandbox.
 * - Background traffic is off.
 * - Without pages of the address bar, which no test sees, a window costs half the processor time. This list
 * replaces Playwright's, of which it repeats what tests notice.
 */
export const chromiumFlags: string[] = [
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,OptimizationHints,PaintHolding,ThirdPartyStoragePartitioning',
  ...softwareDrawingFlags('CDPScreenshotNewSurface'),
  '--disable-gpu-compositing',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

export { findChromium };

/** Debian packages for the tests: the browser, and Mesa to render without a GPU. */
export const debianPackages = [
  'chromium',
  'libgl1-mesa-dri',
  'libegl1',
  'libegl-mesa0',
  'libgl1',
  'fonts-noto-cjk',
];

/**
 * Finds Chromium, or installs Debian's if allowed, and prints the result. Throws an error with a solution if
 * neither works.
 */
export function ensureChromium(print: (line: string) => void): string {
  const found = findChromium();
  if (found) {
    print(`Chromium: ${found}`);
    return found;
  }
  if (process.env.LIKENESS_CHROMIUM) {
    throw new Error(`LIKENESS_CHROMIUM names ${process.env.LIKENESS_CHROMIUM}, and nothing is there.`);
  }
  if (mayInstallDebianPackages()) {
    print(`Chromium: none found; installing Debian's packages ${debianPackages.join(' ')} …`);
    installDebianPackages(debianPackages);
    const installed = findChromium();
    if (installed) {
      print(`Chromium: installed ${installed}`);
      return installed;
    }
  }
  throw new Error(
    'No Chromium found. Install Chromium or Chrome (on Debian/Ubuntu: sudo apt-get install chromium), or name one in LIKENESS_CHROMIUM.',
  );
}
