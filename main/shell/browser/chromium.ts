import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

const wellKnown = (environment: NodeJS.ProcessEnv): string[] => [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(environment.ProgramFiles ?? 'C:\\Program Files', 'Google/Chrome/Application/chrome.exe'),
  join(
    environment['ProgramFiles(x86)'] ?? 'C:\\Program Files (x86)',
    'Microsoft/Edge/Application/msedge.exe',
  ),
];

/**
 * Chromium's flags for fast drawing on Linux without a graphics card:
 *
 * - ANGLE on the system's EGL takes less than half the time of SwiftShader, Chromium's default.
 * - Mesa frees and allocates its vertex buffers at each draw. Kept in a larger ring, they don't go back to the kernel
 * in between: a film takes 40 % less processor time.
 *
 * @param features further features to enable: of two such flags Chromium takes the last
 */
export const softwareDrawingFlags = (...features: string[]): string[] => [
  '--use-angle=gl-egl',
  '--ignore-gpu-blocklist',
  `--enable-features=${['PartitionAllocLargeEmptySlotSpanRing', ...features].join()}`,
];

/** Finds a Chromium on this machine: `LIKENESS_CHROMIUM`, then the PATH, then the default install paths. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | null {
  const named = environment.LIKENESS_CHROMIUM;
  if (named) return existsSync(named) ? named : null;
  const onPath = (environment.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...wellKnown(environment)].find((file) => existsSync(file)) ?? null;
}
