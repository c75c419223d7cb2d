import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaceMaker } from '@likeness/engine/faces/face_maker.ts';
import type { HeadMaker } from '@likeness/engine/models/head_maker.ts';
import type { RecordingMaker } from '@likeness/engine/recordings/recording_maker.ts';
import { createLineLog } from '@likeness/node-kit/storage/log.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { type Dispatcher, request } from 'undici';
import { form, picture } from '../../../test/support/service/engine_harness.ts';
import { addKey, type NewKey, type ShownKey } from '../src/keys/key_administration.ts';
import { defaultScopes } from '../src/keys/service_key.ts';
import { type RunningService, type ServiceOptions, startService } from '../src/service.ts';

export { picture };

/** A service that listens on loopback, in this process. */
export interface TestService extends AsyncDisposable {
  url: string;
  port: number;
  folder: string;
  running: RunningService;
  /** All that it logged. */
  logged(): string;
  heads: Heads;
  /** A key, known to the service when this resolves. */
  key(name: string, wanted?: Partial<NewKey>): Promise<ShownKey>;
  close(): Promise<void>;
}

/** How the test's own heads are made. */
export interface Heads {
  /** Milliseconds that one takes. */
  takes: number;
  made: number;
  /** From now on none is finished, until the returned function is called. */
  hold(): () => void;
}

/** Heads whose making a test may hold back. */
interface HeldHeads extends Heads {
  released: Promise<void>;
}

export interface TestServiceOptions extends Partial<Pick<ServiceOptions, 'clock' | 'limits' | 'folder'>> {
  /** In place of the quick ones; without any, there is none for recordings. */
  makers?: Partial<ServiceOptions['makers']>;
  address?: Partial<ServiceOptions['address']>;
  more?: Partial<ServiceOptions>;
}

export async function startTestService({
  address = {},
  folder = mkdtempSync(join(tmpdir(), 'likeness-service-')),
  clock = Date.now,
  makers = {},
  more = {},
  ...options
}: TestServiceOptions = {}): Promise<TestService> {
  const lines: string[] = [];
  const heads: HeldHeads = {
    takes: 20,
    made: 0,
    released: Promise.resolve(),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      heads.released = promise;
      return resolve;
    },
  };
  const running = await startService({
    version: '9.9.9',
    folder,
    pathWord: 'svc',
    address: {
      host: '127.0.0.1',
      port: 0,
      names: [],
      proxies: [],
      tls: null,
      insecure: false,
      ...address,
    },
    makers: {
      loadHeadMaker: async () => headMaker(heads),
      loadFaceMaker: async () => faceMaker,
      loadRecordingMaker: null,
      ...makers,
    },
    clock,
    log: createLineLog({
      scrub: createScrub(),
      level: 'debug',
      write: (line) => void lines.push(line),
    }),
    run: randomUUID(),
    checkIntervals: { keys: 100, usage: 100, webhooks: 50, shared: 100 },
    ...options,
    ...more,
  });
  const close = async (): Promise<void> => running.close(2000);
  return {
    url: `${address.tls ? 'https' : 'http'}://127.0.0.1:${running.port}`,
    port: running.port,
    folder,
    running,
    heads,
    logged: () => lines.join(''),
    async key(name, wanted = {}) {
      const shown = await addKey(
        folder,
        {
          name,
          tenant: name,
          groups: ['A', 'B'],
          scopes: [...defaultScopes],
          expiresAt: null,
          caps: { seconds: null, frames: null, models: null },
          rate: { perSecond: 0, burst: 0 },
          atOnce: 1000,
          ...wanted,
        },
        clock(),
      );
      await running.reloadKeys();
      return shown;
    },
    close,
    async [Symbol.asyncDispose]() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Heads of a few bytes, as fast as a test wants them. */
const headMaker = (heads: HeldHeads): HeadMaker => ({
  version: '1',
  parallel: 2,
  async makeHead({ photo, sex, eyelidType, onStage, signal }) {
    onStage?.('landmarks', 0.25);
    const cancelled = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
    await Promise.race([wait(heads.takes, undefined, { signal }).then(() => heads.released), cancelled]);
    if (sex === 0 && eyelidType === 1) throw new Error('no face');
    heads.made += 1;
    const glb = Buffer.concat([Buffer.from('glTF'), Buffer.from(photo).reverse(), Buffer.alloc(100, 7)]);
    return { glb };
  },
  photos: {
    check: async () => ({ width: 1, height: 1, face: null, findings: [] }) as never,
    outline: async () => ({ rings: [], score: 1, sure: true, cutOff: false }) as never,
    crop: async () => new Uint8Array(),
  },
  explain: () => ({ en: 'No face was found.', zh: '未检测到人脸。' }),
  yieldTo() {},
  close: async () => {},
});

/** Hears every recording at once; nothing else. */
export const recordingMaker = {
  async hear({ into }: { into: string }) {
    writeFileSync(into, 'analysis');
    return { seconds: 1, speech: 1 };
  },
  close: async () => {},
  yieldTo() {},
} as unknown as RecordingMaker;

/** A frame for each sixtieth of a second. */
export const faceMaker: FaceMaker = {
  channelNames: ['jawOpen'],
  loadMesh: async () => ({
    topology: { vertexCount: 3, triangleIndices: Uint32Array.of(0, 1, 2) },
    pose: () => new Float32Array(9),
  }),
  open({ sampleRate, channels, frameRate }) {
    let samples = 0;
    let frame = 0;
    return {
      push(pcm) {
        samples += pcm.length;
        const frames = [];
        while (samples >= ((frame + 1) * sampleRate * channels) / frameRate) {
          frame += 1;
          frames.push({ timeCode: frame / frameRate, weights: new Float32Array(1) });
        }
        return frames;
      },
      end: () => [],
    };
  },
};

export const groupA = ({ secret }: ShownKey): Record<string, string> => ({
  authorization: `Bearer ${secret}`,
});
export const groupB = ({ secret }: ShownKey): Record<string, string> => ({ auth_ak: secret });

export interface Answered<T = unknown> {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: T;
}

/** One request, its answer read as JSON. */
export async function call<T = Record<string, unknown>>(
  service: Pick<TestService, 'url'>,
  path: string,
  options: Parameters<typeof request>[1] = {},
): Promise<Answered<T>> {
  const { statusCode, headers, body } = await request(`${service.url}${path}`, options);
  const text = await body.text();
  return { status: statusCode, headers, body: (text.startsWith('{') ? JSON.parse(text) : text) as T };
}

export interface ModelEnvelope {
  code: number;
  data: Record<string, unknown> & { modelId: string; status: number; waitTime: number | string };
}

let pictures = 0;

/** B1 with a photo that nobody sent before. */
export async function order(
  service: Pick<TestService, 'url'>,
  key: ShownKey,
  {
    photo,
    headers = {},
    fields = {},
  }: { photo?: Uint8Array; headers?: Record<string, string>; fields?: Record<string, string> } = {},
): Promise<Answered<ModelEnvelope>> {
  pictures += 1;
  const file = new Blob([new Uint8Array(photo ?? (await picture(pictures)))]);
  const body = form({ sex: '1', file, ...fields });
  const response = await fetch(`${service.url}/open-api/svc/sdk/model/generate`, {
    method: 'POST',
    headers: { ...groupB(key), ...headers },
    body,
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: (await response.json()) as ModelEnvelope,
  };
}

/** B2 until the model is made or has failed. */
export async function made(
  service: Pick<TestService, 'url'>,
  key: ShownKey,
  id: string,
): Promise<ModelEnvelope['data']> {
  for (;;) {
    const { body } = await call<ModelEnvelope>(service, `/open-api/svc/sdk/model/get/${id}`, {
      headers: groupB(key),
    });
    if (body.data.status !== 3) return body.data;
    await wait(10);
  }
}

/** A1 with so many seconds of silence. */
export function speak(
  service: Pick<TestService, 'url'>,
  key: ShownKey,
  { seconds = 1, traceId = randomUUID() as string, status = 'start', vertices = false } = {},
): Promise<Answered<string>> {
  return call<string>(service, '/v1/audio-to-face/mesh', {
    method: 'POST',
    headers: { ...groupA(key), 'content-type': 'application/json', accept: 'application/x-protobuf' },
    body: JSON.stringify({
      traceId,
      status,
      sampleRate: 16_000,
      data: Buffer.alloc(seconds * 32_000).toString('base64'),
      ...(vertices && { vertices }),
    }),
  });
}
