import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../src/faces/audio_data.ts';
import { parseAudioRequest } from '../src/faces/audio_request.ts';
import { FairShares } from '../src/http/fair_shares.ts';
import { type JsonBody, readJsonBody } from '../src/http/json_body.ts';
import { flatShape } from '../src/http/json_scan.ts';
import { defaultLimits, mebibyte } from '../src/http/limits.ts';
import { Refusal } from '../src/http/refusal.ts';

/** A request whose body comes in these chunks; one without an end goes on for ever. */
function receive(chunks: readonly Uint8Array[], isWhole = true): Promise<JsonBody> {
  const request = Object.assign(new PassThrough(), {
    headers: { 'content-type': 'application/json' },
    socket: { bytesRead: 0 },
    complete: false,
  });
  for (const chunk of chunks) request.write(chunk);
  if (isWhole) request.end();
  return readJsonBody(request as never, {
    most: 48 * mebibyte,
    tooLarge: () => new Refusal(413, 'audio_too_large', { en: '', zh: '' }),
    shape: flatShape('data'),
    inFlight: new FairShares(64 * mebibyte),
    owner: null,
    limits: defaultLimits,
  });
}

describe('a body of JSON', () => {
  it.each([
    ['brackets', '['.repeat(64 * 1024)],
    ['objects in objects', '{"a":'.repeat(9)],
    ['thousands of fields', `{${Array.from({ length: 1000 }, (_, i) => `"k${i}":1`).join()}`],
    ['an array of numbers in the large field', `{"data":[${'1,'.repeat(1000)}`],
    ['a long name', `{"${'n'.repeat(1000)}`],
    ['other text than the large field', `{"traceId":"${'x'.repeat(65 * 1024)}`],
    ['a second large field', `{"data":"","data":"${'x'.repeat(65 * 1024)}`],
  ])('of %s is refused at its first bytes, before the rest has come', async (_, beginning) => {
    await expect(receive([Buffer.from(beginning)], false)).rejects.toMatchObject({
      status: 400,
      reason: 'json_too_complex',
    });
  });

  it('is read the same however it is cut into chunks, escapes and white space included', async () => {
    const sound = randomBytes(30);
    const base64 = sound
      .toString('base64')
      .replaceAll('/', '\\/')
      .replaceAll('+', '\\u002B')
      .replace(/^(.{8})/, '$1\\n');
    const body = Buffer.from(`{ "a\\"{" : "}\\\\", "data" : "${base64}" , "list": [1, {"data": "inner"}] }`);
    for (let cut = 1; cut < body.length; cut += 1) {
      const { text, large } = await receive([body.subarray(0, cut), body.subarray(cut)]);
      expect(JSON.parse(text)).toEqual({ 'a"{': '}\\', data: '', list: [1, { data: 'inner' }] });
      expect(await decodeBase64(large!)).toEqual(sound);
    }
  });

  it('of megabytes of sound is decoded in pieces, between which others are answered', async () => {
    const sound = randomBytes(9 * mebibyte);
    const body = Buffer.from(JSON.stringify({ data: sound.toString('base64') }));
    const { large } = await receive([body]);
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    expect((await decodeBase64(large!)).equals(sound)).toBe(true);
    isDone = true;
    expect(turns).toBeGreaterThan(15);
  });

  it.each(['12', '[]', '{}', 'null', 'true'])(
    'with %s as its sound is refused by the field’s name',
    async (data) => {
      const { text } = await receive([
        Buffer.from(`{"traceId":"${crypto.randomUUID()}","status":"start","data":${data}}`),
      ]);
      expect(() => parseAudioRequest(text)).toThrow('data');
    },
  );

  it.each([
    ['"QUJ"', 'audio_not_base64'],
    ['"QUJD" "QUJD"', 'audio_not_base64'],
    ['"QU=D"', 'audio_not_base64'],
    ['"Q-_D"', 'audio_not_base64'],
    ['"Q==="', 'audio_not_base64'],
    ['"\\u00zzQUJD"', 'audio_not_base64'],
    ['"Q\\"JD"', 'audio_not_base64'],
  ])('with the sound %s is refused', async (data, reason) => {
    await expect(decodeBase64(Buffer.from(data))).rejects.toMatchObject({ status: 400, reason });
  });
});
