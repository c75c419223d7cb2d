import { join } from 'node:path';
import { setImmediate as immediately } from 'node:timers/promises';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import { expect, onTestFinished, test } from 'vitest';
import { buzz, openLiveStage, until } from './live_stage.ts';

test('the engine holds no more arrays after a minute of a voice than after a few seconds', async () => {
  const stage = await openLiveStage(undefined, {
    preload: join(import.meta.dirname, 'held_arrays_process.ts'),
  });
  onTestFinished(() => stage.close());
  const page = stage.open();
  await until(() => page.reports.length > 0);
  const sound = buzz(5);
  let decoder = new FaceStreamDecoder();
  let newest = 0;
  let said = 0;
  const take = (): void => {
    for (const { kind, message } of page.faces.splice(0)) {
      if (kind === 'header') decoder = new FaceStreamDecoder();
      const read = decoder.accept(message);
      if (read.kind === 'frame') newest = read.timeCode;
    }
    page.reports.splice(0, page.reports.length - 1);
  };
  /** As fast as it is answered: up to a second of it waits, and goes in one request. */
  const speak = async (seconds: number): Promise<void> => {
    for (const end = said + seconds * 48_000; said < end; said += 960) {
      page.say(sound.subarray(said % sound.length, (said % sound.length) + 960));
      const late = (): number => said / 48_000 - newest;
      if (late() > 0.85) for (take(); late() > 0.25; take()) await immediately();
    }
  };
  const held = async (): Promise<number> => {
    const looks = (): string[] => stage.engine.output().match(/held \d+/g) ?? [];
    const before = looks().length;
    process.kill(stage.engine.child.pid!, 'SIGUSR2');
    await until(() => looks().length > before);
    return Number(looks().at(-1)!.slice(5));
  };
  await speak(10);
  const early = await held();
  await speak(60);
  // It was 1.6 MB in each minute.
  expect((await held()) - early).toBeLessThan(0.6 * 2 ** 20);
  page.close();
  await page.closed;
}, 120_000);
