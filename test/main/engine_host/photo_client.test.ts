import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { translate } from '@likeness/messages';
import type { Failure } from '@likeness/node-kit/failure.ts';
import { cropped } from '@likeness/portrait/photo/photo.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EngineSupervisor } from '../../../main/engine_host/engine_supervisor.ts';
import { createPhotoClient, type PhotoClient } from '../../../main/engine_host/photo_client.ts';
import { entries, picture, temporaryFolder } from '../../support/service/engine_harness.ts';
import { superviseEngine } from './supervised_engine.ts';

let folder: ReturnType<typeof temporaryFolder>;
let engine: EngineSupervisor;
let client: PhotoClient;
let pids: number[];

function open(entry = entries.makers): void {
  engine = superviseEngine({ folder: folder.path, entry, onForked: (pid) => pids.push(pid) });
  client = createPhotoClient(() => engine.connect());
}

beforeEach(() => {
  folder = temporaryFolder();
  pids = [];
  open();
});
afterEach(async () => {
  await client.close();
  await engine.close();
  folder.remove();
});

async function photo(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, bytes);
  return path;
}

const outlineOf = (path: string, crown: number) => ({
  path,
  crop: null,
  sex: null,
  corrections: { strokes: [], crown },
  again: true,
});

it('has photos looked at by the engine, which starts at the first', async () => {
  const path = await photo('a.jpg', Buffer.alloc(20));
  expect(pids).toEqual([]);
  expect(await client.check(path, null)).toEqual({
    width: 20,
    height: 1,
    findings: [],
    face: null,
    suggestedCrop: null,
    yaw: null,
  });
  expect(pids).toHaveLength(1);
});

it('waits for an engine that starts again, and asks it again', async () => {
  const path = await photo('a.jpg', Buffer.alloc(20));
  await client.check(path, null);
  const asked = client.check(path, null);
  process.kill(pids[0]!, 'SIGKILL');
  expect(await asked).toMatchObject({ width: 20 });
  process.kill(pids[1]!, 'SIGKILL');
  expect(await client.check(path, null)).toMatchObject({ width: 20 });
  expect(pids).toHaveLength(3);
});

it('says of a photo that the engine dies of what it did, and goes on with the next', async () => {
  const deadly = await photo('deadly.jpg', Buffer.alloc(5));
  await expect(client.check(deadly, null)).rejects.toMatchObject({
    code: 'unsupported',
    message: 'The engine ended 2 times while it checked this photo.',
  });
  expect(await client.check(await photo('a.jpg', Buffer.alloc(20)), null)).toMatchObject({ width: 20 });
});

it('says that there is no engine where none starts', async () => {
  await engine.close();
  open(entries.failing);
  await expect(client.check(await photo('a.jpg', Buffer.alloc(20)), null)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('the weights are damaged'),
  });
});

it('sends the photo of a stroke once, and again where the engine has it no more', async () => {
  const path = await photo('a.png', await picture(3));
  expect(await client.outline(outlineOf(path, 0.1))).toMatchObject({ rings: [[0.1]], sure: true });
  // The engine of the test says by `sure` whether it got a file.
  expect(await client.outline(outlineOf(path, 0.2))).toMatchObject({ rings: [[0.2]], sure: false });
  process.kill(pids[0]!, 'SIGKILL');
  expect(await client.outline(outlineOf(path, 0.3))).toMatchObject({ rings: [[0.3]], sure: true });
});

it('passes on the engine’s own words, in both languages', async () => {
  const path = await photo('a.png', await picture(4));
  const refused = await client.outline(outlineOf(path, 0.25)).catch((error: Failure) => error as Failure);
  const said = (refused as Failure).userMessage;
  expect([translate(said, 'en'), translate(said, 'zh-CN')]).toEqual(['No face.', '未检测到人脸。']);
});

it('sends the very bytes that are checked', async () => {
  const whole = await picture(5);
  const crop = { x: 0.13, y: 0.2, width: 0.51, height: 0.6 };
  expect(Buffer.compare(await client.crop(whole, crop), await cropped(whole, crop))).toBe(0);
  await expect(client.crop(Buffer.from('no picture'), crop)).rejects.toMatchObject({ code: 'unsupported' });
});

it('stops asking when nobody wants the answer', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const alone = createPhotoClient(async () => ({
    url: `http://127.0.0.1:${port}`,
    accessToken: '',
    apiKey: '',
  }));
  const stop = new AbortController();
  const asked = alone.crop(await picture(6), { x: 0, y: 0, width: 1, height: 1 }, stop.signal);
  setTimeout(() => stop.abort(new Error('stopped')), 50);
  await expect(asked).rejects.toThrow('stopped');
  const starting = createPhotoClient(() => new Promise(() => {}));
  const path = await photo('a.jpg', Buffer.alloc(20));
  await expect(starting.check(path, null, AbortSignal.timeout(50))).rejects.toThrow();
  await starting.close();
  await alone.close();
  silent.closeAllConnections();
  silent.close();
});
