/** A microphone that plays a file, for the studio in a browser, and a session that listens to it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeWav } from '@likeness/proto/wav.ts';
import { expect, type Page } from '@playwright/test';

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

/**
 * Flags of a browser whose microphone plays a file. Pages have it where their context has the permission
 * `microphone`; others are refused.
 */
export const microphoneFlags = (file: string): string[] => [
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${file}`,
  '--deny-permission-prompts',
];

/** Address of a place of the page. */
export const at = (page: Page, place: string): string => new URL(`#/${place}`, page.url()).href;

/** Begins a session that listens to a voice. */
export async function startSpeaking(page: Page): Promise<void> {
  // A list that was looked at before must show what is recorded after.
  await page.goto(at(page, 'takes'));
  await expect(page.getByText('No takes yet')).toBeVisible();
  await page.goto(at(page, 'live'));
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await expect(page.getByRole('meter')).toBeVisible();
  // The microphone may be there before the session is.
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeEnabled({ timeout: 30_000 });
}
