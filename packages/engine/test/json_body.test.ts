import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Base64Decoder } from '../src/faces/audio_data.ts';
import { parseAudioRequest } from '../src/faces/audio_request.ts';
import { FairShares } from '../src/http/fair_shares.ts';
import { readJsonBody } from '../src/http/json_body.ts';
import { flatShape } from '../src/http/json_scan.ts';
import { defaultLimits, mebibyte } from '../src/http/limits.ts';
import { Refusal } from '../src/http/refusal.ts';

interface Received {
  text: string;
  /** The decoded bytes of its field `data`. */
  sound: Buffer;
}

/** Receives a body in these chunks; one without an end goes on for ever. */
async function receive(
  chunks: readonly Uint8Array[],
  isWhole = true,
  { response = new EventEmitter(), inFlight = new FairShares(64 * mebibyte) } = {},
): Promise<Received> {
  const request = Object.assign(new PassThrough(), {
    headers: { 'content-type': 'application/json' },
    socket: { bytesRead: 0 },
    complete: false,
  });
  for (const chunk of chunks) request.write(chunk);
  if (isWhole) request.end();
  const decoder = new Base64Decoder();
  const text = await readJsonBody({ request, response } as never, {
    most: 48 * mebibyte,
    tooLarge: () => new Refusal(413, 'audio_too_large', { en: '', zh: '' }),
    shape: flatShape('data'),
    onLarge: (bytes) => decoder.push(bytes),
    inFlight,
    owner: null,
    limits: defaultLimits,
  });
  return { text, sound: decoder.end() };
}

/** Decodes a JSON string. */
function decode(json: string): Buffer {
  const decoder = new Base64Decoder();
  decoder.push(Buffer.from(json));
  return decoder.end();
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

  it('lets other requests run while it is read, if it is large', async () => {
    const body = Buffer.from(`{"data":"${'A'.repeat(mebibyte)}"}`);
    const size = mebibyte / 16;
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await receive(Array.from({ length: 17 }, (_, at) => body.subarray(at * size, (at + 1) * size)));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(15);
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
      const received = await receive([body.subarray(0, cut), body.subarray(cut)]);
      expect(JSON.parse(received.text)).toEqual({ 'a"{': '}\\', data: '', list: [1, { data: 'inner' }] });
      expect(received.sound).toEqual(sound);
    }
  });

  it('is refused at the first character that is no base64, before the rest has come', async () => {
    await expect(receive([Buffer.from('{"data":"QUJD!')], false)).rejects.toMatchObject({
      status: 400,
      reason: 'audio_not_base64',
    });
  });

  it('counts as in flight until its answer has ended', async () => {
    const body = Buffer.from('{"data":"QUJD"}');
    const response = new EventEmitter();
    const inFlight = new FairShares(64 * mebibyte);
    await receive([body], true, { response, inFlight });
    expect(inFlight.usedBy(null)).toBe(body.length);
    response.emit('close');
    expect(inFlight.usedBy(null)).toBe(0);
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
  ])('with the sound %s is refused', (data, reason) => {
    expect(() => decode(data)).toThrow(expect.objectContaining({ status: 400, reason }));
  });
});
