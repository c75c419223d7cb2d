import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ModelQueue } from '../models/model_queue.ts';
import { Refusal } from './refusal.ts';
import type { RequestContext } from './request_context.ts';

/** Serves a finished head: whole, or one range of it (RFC 9110 §14), with a strong ETag. */
export async function downloadResult(
  { request, response, parameters }: RequestContext,
  queue: ModelQueue,
): Promise<void> {
  const name = parameters.file ?? '';
  const result = name.endsWith('.glb') ? queue.result(name.slice(0, -'.glb'.length)) : null;
  if (!result) throw gone();
  const file = await open(result.path, 'r').catch(() => {
    throw gone();
  });
  try {
    const etag = `"${result.sha256}"`;
    response.setHeader('etag', etag);
    response.setHeader('accept-ranges', 'bytes');
    response.setHeader('cache-control', 'private, max-age=0');
    response.setHeader('content-type', 'model/gltf-binary');
    response.setHeader('content-disposition', 'attachment; filename="head.glb"');
    if (matches(request.headers['if-none-match'], etag)) {
      response.writeHead(304).end();
      return;
    }
    const range = requestedRange(request, etag, result.bytes);
    if (range === 'unsatisfiable') {
      throw new Refusal(
        416,
        'range_unsatisfiable',
        {
          en: `The file has ${result.bytes} bytes; the range lies outside it.`,
          zh: `文件大小为 ${result.bytes} 字节；请求的范围超出文件。`,
        },
        { field: 'range', headers: { 'content-range': `bytes */${result.bytes}` } },
      );
    }
    const { first, last } = range ?? { first: 0, last: result.bytes - 1 };
    response.writeHead(range ? 206 : 200, {
      'content-length': last - first + 1,
      ...(range ? { 'content-range': `bytes ${first}-${last}/${result.bytes}` } : {}),
    });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    await send(file.createReadStream({ start: first, end: last, autoClose: false }), response);
  } finally {
    await file.close();
  }
}

async function send(from: NodeJS.ReadableStream, to: ServerResponse): Promise<void> {
  try {
    await pipeline(from, to);
  } catch (error) {
    // A caller who goes away in the middle is no failure of ours.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((one) => one.trim() === etag));

/** One range of the file's bytes, both ends included; null where the whole is to be sent. */
function requestedRange(
  request: IncomingMessage,
  etag: string,
  size: number,
): { first: number; last: number } | 'unsatisfiable' | null {
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return null;
  // Several ranges, or what isn't one: answered with the whole, as the RFC allows.
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.range ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(match[1]);
  const last = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}

function gone(): Refusal {
  return new Refusal(404, 'file_unknown', {
    en: 'There is no such file, or no longer. Ask for the model again to learn its link.',
    zh: '没有此文件，或已过期。请重新查询模型以获取下载链接。',
  });
}
