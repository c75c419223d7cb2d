import { expect, onTestFinished, test } from 'vitest';
import { realHead } from '../../../../test/support/heads/heads.ts';
import { glbOf, pointsOf } from '../../../../test/support/heads/hostile_glb.ts';
import { createConvertThreads } from '../../src/formats/convert_threads.ts';
import { gltfIo } from '../../src/gltf_io.ts';

const about = { name: 'Ada' };
const order = { format: 'glb', table: null, stem: 'Ada', about } as const;
const entry = new URL('../../src/formats/convert_thread.ts', import.meta.url);

function open() {
  const threads = createConvertThreads({ entry });
  onTestFinished(() => threads.close());
  return threads;
}

test('a head is converted on a thread, and what was given can be used again', async () => {
  const threads = open();
  const glb = await realHead();
  for (let time = 0; time < 2; time += 1) {
    const { files, moving, still } = await threads.convert(glb, order);
    expect(files.map(({ name }) => name)).toEqual(['Ada.glb']);
    expect({ moving, still }).toEqual({ moving: 67, still: [] });
    const document = await (await gltfIo()).readBinary(files[0]!.data);
    expect(document.getRoot().listMeshes()[0]?.listPrimitives()[0]?.listTargets()).toHaveLength(67);
  }
});

test('what is no head, or asks for more than there is, is refused in a sentence', async () => {
  const threads = open();
  await expect(threads.convert(Buffer.from('no head'), order)).rejects.toMatchObject({
    code: 'unsupported',
  });
  await expect(threads.convert(glbOf(pointsOf(140_000_000)), order)).rejects.toMatchObject({
    code: 'unsupported',
    message: /^The file has/,
  });
});

test('one that is stopped ends at once, and the next one is converted', async () => {
  const threads = open();
  const glb = await realHead();
  const stopped = new AbortController();
  const first = threads.convert(glb, order, stopped.signal);
  const second = threads.convert(glb, order, stopped.signal);
  stopped.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  await expect(second).rejects.toMatchObject({ code: 'cancelled' });
  expect((await threads.convert(glb, order)).files).toHaveLength(1);
});
