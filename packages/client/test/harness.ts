import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { endpointFor } from '../../../test/fixtures/service/endpoint.ts';
import {
  type ScriptedService,
  type ScriptedServiceOptions,
  startScriptedService,
} from '../../../test/fixtures/service/scripted_service.ts';
import type { FinishedCall } from '../src/call_record.ts';
import { createUpstreamClient, type UpstreamClient, type UpstreamClientOptions } from '../src/client.ts';
import { UpstreamError } from '../src/error.ts';

const endings: (() => Promise<unknown>)[] = [];

/** Runs after the test, last registered first. */
export function atEnd(ending: () => Promise<unknown>): void {
  endings.push(ending);
}

afterEach(async () => {
  for (const ending of endings.splice(0).reverse()) await ending();
});

/** A real JPEG's first bytes and some ballast; the service does not look further. */
export const photo = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(3000, 7)]);

export interface Stage {
  service: ScriptedService;
  client: UpstreamClient;
  /** What the journal was told. */
  exchanges: FinishedCall[];
  /** Milliseconds of the pauses that the client wanted; they pass at once. */
  pauses: number[];
  /** A folder of the test's own. */
  folder: string;
  /** A photo in it. */
  photoPath: string;
}

export type StageOptions = Omit<Partial<UpstreamClientOptions>, 'endpoint'> & {
  service?: ScriptedServiceOptions;
  endpoint?: Parameters<typeof endpointFor>[1];
};

/** A scripted service, a client of it, a folder, and a clock whose pauses pass at once. */
export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const { service: serviceOptions, endpoint, ...rest } = options;
  const service = await startScriptedService(serviceOptions);
  atEnd(() => service.close());
  const folder = await mkdtemp(join(tmpdir(), 'likeness-upstream-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const photoPath = join(folder, 'portrait.jpg');
  await writeFile(photoPath, photo);
  const exchanges: FinishedCall[] = [];
  const pauses: number[] = [];
  const client = createUpstreamClient({
    endpoint: endpointFor(service, endpoint),
    random: () => 0.5,
    clock: {
      now: () => Date.now(),
      wait: (milliseconds, signal) => {
        pauses.push(milliseconds);
        return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve();
      },
    },
    onExchange: (exchange) => exchanges.push(exchange),
    ...rest,
  });
  atEnd(() => client.close());
  return { service, client, exchanges, pauses, folder, photoPath };
}

/** The UpstreamError that a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<UpstreamError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) throw new Error(`it succeeded: ${JSON.stringify(outcome.value)}`);
  if (!(outcome.error instanceof UpstreamError)) throw outcome.error;
  return outcome.error;
}

/** What a person is told: code, message, hint. Addresses are made alike from run to run. */
export function told(error: { code: string; message: string; hint: string }): string[] {
  const plain = (text: string): string =>
    text.replace(/127\.0\.0\.1:\d+/g, 'HOST').replace(/\[::1\]:\d+/g, 'HOST');
  return [error.code, plain(error.message), plain(error.hint)];
}

/** All that a call could let out. */
export function everythingOf(error: unknown): string {
  const parts: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    parts.push(
      current.message,
      current.stack ?? '',
      JSON.stringify(current, Object.getOwnPropertyNames(current)),
    );
  }
  return parts.join('\n');
}

export function expectNoSecret(
  text: string,
  { accessToken, apiKey }: { accessToken: string; apiKey: string },
): void {
  for (const secret of [accessToken, apiKey]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('base64'));
    expect(text).not.toContain(encodeURIComponent(secret));
  }
}
