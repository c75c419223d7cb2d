import { expect, test } from 'vitest';
import { type RawBridge, StudioFailure, studio } from '../../renderer/base/studio.ts';
import { fakeStudio } from '../fixtures/studio/studio.ts';

/** A bridge whose `live.open` does what the test says; `order` is which arrives first, port or id. */
function streaming(order: 'port-first' | 'id-first', answer: (port: MessagePort) => void): RawBridge {
  const { bridge } = fakeStudio();
  const open = async (): Promise<string> => {
    const id = crypto.randomUUID();
    const { port1, port2 } = new MessageChannel();
    const post = (): void => window.postMessage({ type: 'likeness:stream', id }, '*', [port2]);
    // A task of its own comes after all that follows from the id.
    if (order === 'id-first') setTimeout(post, 0);
    else {
      const arrived = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
      post();
      await arrived;
    }
    answer(port1);
    return id;
  };
  return { ...bridge, live: { ...bridge.live, open } };
}
const options = { profileId: 'built-in', sampleRate: 16_000, frameRate: 60 } as const;

test('a refused call throws what was wrong, what to do, and where', async () => {
  const fake = fakeStudio();
  window.studio = fake.bridge;
  fake.failNext('connections.list', {
    code: 'storage',
    message: 'The disk is full.',
    hint: 'Make room.',
    field: 'name',
  });
  const failure = await studio.connections.list().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(failure).toBeInstanceOf(StudioFailure);
  expect(failure).toMatchObject({
    code: 'storage',
    message: 'The disk is full.',
    hint: 'Make room.',
    retryable: true,
    field: 'name',
  });
});

test('a subscription ends by what it returned', async () => {
  const fake = fakeStudio();
  window.studio = fake.bridge;
  const heard: string[] = [];
  const end = studio.app.onSettingsChanged(({ theme }) => heard.push(theme));
  await studio.app.changeSettings({ theme: 'light' });
  end();
  await studio.app.changeSettings({ theme: 'dark' });
  expect(heard).toEqual(['light']);
});

test.each(['port-first', 'id-first'] as const)(
  'a stream opens and carries bytes in order: %s',
  async (order) => {
    window.studio = streaming(order, (port) => {
      port.onmessage = ({ data }) => typeof data !== 'string' && port.postMessage(data);
      port.postMessage(new Uint8Array([9]).buffer); // before `open`: kept until somebody listens
      port.postMessage(JSON.stringify({ open: true }));
    });
    const stream = await studio.live.open(options);
    const messages: number[][] = [];
    stream.onMessage((message) => messages.push([...message]));
    stream.send(new Uint8Array([1, 2, 3]));
    stream.send(new Uint8Array([0, 4, 5, 0]).subarray(1, 3));
    await expect.poll(() => messages).toEqual([[9], [1, 2, 3], [4, 5]]);
  },
);

test('a stream that is refused rejects with the reason', async () => {
  const error = { code: 'cap_reached', message: 'The cap is reached.', hint: 'Raise it.', retryable: false };
  window.studio = streaming('port-first', (port) => port.postMessage(JSON.stringify({ error })));
  await expect(studio.live.open(options)).rejects.toMatchObject({ code: 'cap_reached', hint: 'Raise it.' });
});

test('a stream says once that it is over, and why', async () => {
  const error = { code: 'unreachable', message: 'Gone.', hint: '', retryable: true };
  window.studio = streaming('port-first', (port) => {
    port.postMessage(JSON.stringify({ open: true }));
    setTimeout(() => {
      port.postMessage(JSON.stringify({ error }));
      port.postMessage(JSON.stringify({ close: true }));
    }, 0);
  });
  const stream = await studio.live.open(options);
  const ends: unknown[] = [];
  stream.onClose((reason) => ends.push(reason?.code));
  await expect.poll(() => ends).toEqual(['unreachable']);
});
