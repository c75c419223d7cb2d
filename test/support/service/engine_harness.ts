import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export const entries = {
  makers: join(import.meta.dirname, '../../main/engine_host/makers_entry.ts'),
  empty: join(import.meta.dirname, '../../main/engine_host/empty_entry.ts'),
  failing: join(import.meta.dirname, '../../main/engine_host/failing_entry.ts'),
  real: join(import.meta.dirname, '../../../packages/engine/src/engine_entry.ts'),
};

/** A real engine process on loopback. */
export interface TestEngine {
  url: string;
  port: number;
  accessToken: string;
  apiKey: string;
  child: ChildProcess;
  /** Everything it wrote or said, keys to be looked for. */
  output(): string;
  /** Ends it as a crash or the system would. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface TestEngineOptions {
  entry?: string;
  folder: string;
  limits?: Record<string, number>;
  env?: Record<string, string>;
  /** Of Node's, such as those that the studio gives its engine. */
  flags?: readonly string[];
  /** A module that the process loads before its entry. Absolute. */
  preload?: string | undefined;
}

export async function startTestEngine({
  entry = entries.makers,
  folder,
  limits = {},
  env = {},
  flags = [],
  preload,
}: TestEngineOptions): Promise<TestEngine> {
  const accessToken = randomBytes(24).toString('base64url');
  const apiKey = randomBytes(24).toString('base64url');
  const child = fork(entry, [], {
    env: { ...process.env, ...env },
    execArgv: [...flags, ...(preload ? ['--import', preload] : [])],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said: string[] = [];
  child.stdout?.on('data', (chunk) => said.push(String(chunk)));
  child.stderr?.on('data', (chunk) => said.push(String(chunk)));
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message: { kind: string; port: number }) => {
      said.push(JSON.stringify(message));
      if (message.kind === 'ready') resolve(message.port);
    });
    child.once('exit', () => reject(new Error(`the engine ended: ${said.join('\n')}`)));
    child.send({
      kind: 'start',
      version: '9.9.9',
      folder,
      pathWord: 'svc',
      accessToken,
      apiKey,
      external: null,
      limits,
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    accessToken,
    apiKey,
    child,
    output: () => said.join('\n'),
    async kill(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await gone;
    },
  };
}

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'likeness-engine-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A PNG of one colour; another number, another picture. */
export const picture = (number: number): Promise<Buffer> =>
  sharp({
    create: {
      width: 64,
      height: 64,
      channels: 3,
      background: { r: number % 256, g: (number >> 8) % 256, b: 9 },
    },
  })
    .png()
    .toBuffer();

/** A PNG that is all header: it claims its size and has a few bytes of data. */
export function pngClaiming(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export type Fields = Record<string, string | Blob>;

export function form(fields: Fields): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, 'photo.png');
  }
  return body;
}

export const blob = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)]);

export interface Envelope {
  data: Record<string, unknown>;
  code: number;
  message: string;
}

export async function generate(
  engine: TestEngine,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Envelope }> {
  const response = await fetch(`${engine.url}/open-api/svc/sdk/model/generate`, {
    method: 'POST',
    headers: { auth_ak: engine.apiKey, ...headers },
    body: form(fields),
  });
  return { status: response.status, body: (await response.json()) as Envelope };
}

export async function getModel(
  engine: TestEngine,
  id: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Envelope }> {
  const response = await fetch(`${engine.url}//open-api/svc/sdk/model/get/${id}`, {
    headers: { auth_ak: engine.apiKey, ...headers },
  });
  return { status: response.status, body: (await response.json()) as Envelope };
}

/** Asks until the model is no longer processing. */
export async function finished(
  engine: TestEngine,
  id: string,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await getModel(engine, id, headers);
    if (body.data.status !== 3) return body.data;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
