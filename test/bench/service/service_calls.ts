/** The calls of a client that the benchmarks of the service make, and the photos that it sends. */
import { readFileSync } from 'node:fs';
import { type Dispatcher, FormData, request } from 'undici';
import type { ServiceNode } from './service_processes.ts';

const face = readFileSync(new URL('../../../renderer/base/samples/face.jpg', import.meta.url));

/** The sample face, each time other bytes: a comment (JPEG's segment COM) that says which one it is. */
export function photo(number: number): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(`photo ${number}`);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length + 2);
  return new Uint8Array(
    Buffer.concat([face.subarray(0, 2), Buffer.of(0xff, 0xfe), length, text, face.subarray(2)]),
  );
}

export interface Model {
  modelId: string;
  status: number;
  /** Seconds, as text. */
  waitTime: string;
  failMessage: string;
  downloadLink: string;
}

type Node = Pick<ServiceNode, 'url' | 'key'>;

async function data<T>(response: Dispatcher.ResponseData): Promise<T> {
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** B1. @returns the model's id */
export async function order(
  { url, key }: Node,
  file: Uint8Array<ArrayBuffer>,
  dispatcher?: Dispatcher,
): Promise<string> {
  const body = new FormData();
  body.append('sex', '1');
  body.append('file', new Blob([file], { type: 'image/jpeg' }), 'face.jpg');
  const response = await request(`${url}/open-api/svc/sdk/model/generate`, {
    method: 'POST',
    headers: { auth_ak: key },
    body,
    ...(dispatcher && { dispatcher }),
  });
  return (await data<Model>(response)).modelId;
}

/** B2. @param wait seconds that it may take to answer */
export async function get(
  { url, key }: Node,
  id: string,
  { wait = 0, dispatcher }: { wait?: number; dispatcher?: Dispatcher } = {},
): Promise<Model> {
  return data<Model>(
    await request(`${url}/open-api/svc/sdk/model/get/${id}`, {
      headers: { auth_ak: key, ...(wait > 0 && { prefer: `wait=${wait}` }) },
      ...(dispatcher && { dispatcher }),
    }),
  );
}

/** Waits until a model is made. @throws Error where it failed */
export async function made(node: Node, id: string): Promise<void> {
  for (;;) {
    const { status, failMessage } = await get(node, id, { wait: 30 });
    if (status === 1) return;
    if (status === 4) throw new Error(`a head could not be made: ${failMessage}`);
  }
}

/** Calls `work` for 0 … count − 1, so many at once. */
export async function each(count: number, atOnce: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

/** A number from the environment, such as of heads in a shorter run. */
export const setting = (name: string, usual: number): number => Number(process.env[name] ?? usual);
