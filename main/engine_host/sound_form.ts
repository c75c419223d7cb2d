import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { encodeWav, type Sound } from '@likeness/proto/wav.ts';

/** A `multipart/form-data` body that is read from the disk as it is sent. */
export interface SoundForm {
  contentType: string;
  body: AsyncIterable<Uint8Array>;
}

/** Read at a time, bytes. */
const pieceBytes = 256 * 1024;

/**
 * Builds a request body for audio. Not with undici's FormData: it reads a Blob on disk completely ahead, two
 * gigabytes for a long recording.
 *
 * @param sound a WAV file's path, or samples @param fields in plain ASCII
 * @throws Failure `storage` if it can't be read
 */
export async function soundForm(
  sound: string | Sound,
  fields: Readonly<Record<string, string>>,
): Promise<SoundForm> {
  if (typeof sound === 'string') {
    // The stream would report a missing file only later.
    await stat(sound).catch((error: unknown) => {
      throw storageFailure(error, sound);
    });
  }
  const boundary = `likeness-${randomUUID()}`;
  const part = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const before = Object.entries(fields)
    .map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`)
    .join('');
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: (async function* () {
      yield Buffer.from(
        `${before}${part('name="file"; filename="sound.wav"')}Content-Type: application/octet-stream\r\n\r\n`,
        'latin1',
      );
      if (typeof sound === 'string') {
        for await (const piece of createReadStream(sound, { highWaterMark: pieceBytes }))
          yield piece as Buffer;
      } else yield encodeWav(sound);
      yield Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1');
    })(),
  };
}
