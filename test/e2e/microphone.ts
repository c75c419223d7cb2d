/** The studio in a browser with a microphone that plays a file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { encodeWav } from '#proto/wav.ts';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { expect, type RunningStudio, startStudio } from './studio.ts';

/**
 * Syllables of a sort: a buzz whose loudness goes up and down four times a second. 16 bit, as Chromium's fake
 * microphone wants it.
 */
export function voiceFile(folder: string): string {
  const rate = 48_000;
  const samples = Float32Array.from({ length: rate * 12 }, (_, at) => {
    const time = at / rate;
    const loudness = 0.275 * Math.max(0, Math.sin(2 * Math.PI * 4 * time));
    return loudness * (((time * 130) % 1) - 0.5) * 2;
  });
  const file = join(folder, 'voice.wav');
  writeFileSync(file, encodeWav({ sampleRate: rate, samples }, 's16le'));
  return file;
}

export interface Shown {
  page: Page;
  studio: RunningStudio;
  close(): Promise<void>;
}

/** Flags of a browser whose microphone plays a file; null: one that is refused. */
export const microphoneFlags = (file: string | null): string[] => [
  '--use-fake-device-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  ...(file
    ? ['--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${file}`]
    : ['--deny-permission-prompts']),
];

/** The studio in a browser whose microphone speaks. */
export async function show(home: string, microphone: string | null): Promise<Shown> {
  const studio = await startStudio(home);
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [...chromiumFlags, ...microphoneFlags(microphone)],
  });
  const context = await browser.newContext({ viewport: { width: 720, height: 480 }, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(studio.link());
  await page.waitForFunction(() => 'studio' in window);
  // A studio that was here before does not greet again.
  const greeting = page.getByText('Look around first');
  await expect(greeting.or(page.getByRole('navigation', { name: 'Places' })).first()).toBeVisible();
  if (await greeting.isVisible()) await greeting.click();
  return {
    page,
    studio,
    async close() {
      await browser.close();
      await studio.stop();
    },
  };
}

/** Address of a place of the page. */
export const at = (page: Page, place: string): string => new URL(`#/${place}`, page.url()).href;
