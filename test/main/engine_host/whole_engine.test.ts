import { randomUUID } from 'node:crypto';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { FaceStreamMessage } from '@likeness/proto/face_stream_protocol.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  blob,
  entries,
  finished,
  generate,
  picture,
  startTestEngine,
  type TestEngine,
  temporaryFolder,
} from '../../support/service/engine_harness.ts';

let engine: TestEngine;
const folder = temporaryFolder();
beforeAll(async () => {
  engine = await startTestEngine({ entry: entries.real, folder: folder.path });
});
afterAll(async () => {
  await engine.kill('SIGTERM');
  folder.remove();
});

async function speak(order: object): Promise<FaceStreamMessage[]> {
  const response = await fetch(`${engine.url}/v1/audio-to-face/mesh`, {
    method: 'POST',
    headers: { authorization: `Bearer ${engine.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ traceId: randomUUID(), ...order }),
  });
  const decoder = new FaceStreamDecoder();
  return [...decoder.push(new Uint8Array(await response.arrayBuffer())), ...decoder.finish()];
}

it('speaks: samples in, a face with its channels, pose and gaze out', async () => {
  const samples = Buffer.alloc(16_000 * 2);
  for (let i = 0; i < 16_000; i++) samples.writeInt16LE(Math.round(9000 * Math.sin(i / 10)), i * 2);
  const messages = await speak({
    status: 'start',
    data: samples.toString('base64'),
    sampleRate: 16_000,
  });
  expect(messages[0]).toMatchObject({ kind: 'header', frameRate: 60 });
  expect(messages[0]?.kind === 'header' && messages[0].channelNames).toHaveLength(67);
  expect(messages.filter(({ kind }) => kind === 'frame')).toHaveLength(60);
  expect(messages[1]).toMatchObject({
    kind: 'frame',
    headPose: expect.anything(),
    eyeGaze: expect.anything(),
  });
});

it('speaks with the default head’s vertices', async () => {
  const samples = Buffer.alloc(16_000);
  for (let i = 0; i < 8000; i++) samples.writeInt16LE(Math.round(9000 * Math.sin(i / 10)), i * 2);
  const messages = await speak({
    status: 'start',
    data: samples.toString('base64'),
    sampleRate: 16_000,
    frameRate: 30,
    vertices: true,
  });
  const [header, ...rest] = messages;
  const mesh = header?.kind === 'header' ? header.mesh : undefined;
  expect(mesh?.vertexCount).toBeGreaterThan(14_000);
  expect(mesh!.triangleIndices.reduce((max, i) => Math.max(max, i), 0)).toBe(mesh!.vertexCount - 1);
  const frames = rest.filter((one) => one.kind === 'frame');
  expect(frames).toHaveLength(15);
  for (const { vertices } of frames) expect(vertices).toHaveLength(3 * mesh!.vertexCount);
});

it('looks: what has no face is told so, in the caller’s language', async () => {
  const { body } = await generate(engine, {
    file: blob(
      await sharp(await picture(1))
        .resize(400, 400)
        .png()
        .toBuffer(),
    ),
    sex: '1',
  });
  const id = body.data.modelId as string;
  const model = await finished(engine, id);
  expect(model).toMatchObject({ status: 4, downloadLink: '' });
  expect(model.failMessage).toMatch(/face/);
  expect((await finished(engine, id, { 'accept-language': 'zh' })).failMessage).toMatch(/\p{Script=Han}/u);
});
