import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { t } from '@likeness/messages';
import { contentRangeOf, isUnchanged, requestedRange } from '@likeness/node-kit/network/byte_range.ts';
import type { ModelJobs } from '../models/model_jobs.ts';
import { Refusal } from './refusal.ts';
import type { RequestContext } from './request_context.ts';

/** Serves a finished head: whole, or one range of it (RFC 9110 §14), with a strong ETag. */
export async function downloadResult(
  { request, response, parameters }: RequestContext,
  queue: ModelJobs,
): Promise<void> {
  const name = parameters.file ?? '';
  const result = name.endsWith('.glb') ? await queue.result(name.slice(0, -'.glb'.length)) : null;
  if (!result) throw gone();
  const etag = `"${result.sha256}"`;
  response.setHeader('etag', etag);
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('cache-control', 'private, max-age=0');
  response.setHeader('content-type', 'model/gltf-binary');
  response.setHeader('content-disposition', 'attachment; filename="head.glb"');
  if (isUnchanged(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end();
    return;
  }
  const range = requestedRange(
    { range: request.headers.range, ifRange: String(request.headers['if-range'] ?? '') },
    etag,
    result.bytes,
  );
  if (range === 'unsatisfiable') {
    throw new Refusal(416, 'range_unsatisfiable', t('refusal.range_unsatisfiable', { size: result.bytes }), {
      field: 'range',
      headers: { 'content-range': contentRangeOf(null, result.bytes) },
    });
  }
  const { first, last } = range ?? { first: 0, last: result.bytes - 1 };
  const file = await result.open({ first, last }).catch((error: unknown) => {
    for (const name of response.getHeaderNames()) if (fileHeaders.has(name)) response.removeHeader(name);
    throw (error as NodeJS.ErrnoException)?.code === 'ENOENT' ? gone() : error;
  });
  response.writeHead(range ? 206 : 200, {
    'content-length': last - first + 1,
    ...(range ? { 'content-range': contentRangeOf(range, result.bytes) } : {}),
  });
  if (request.method === 'HEAD') {
    file.destroy();
    response.end();
    return;
  }
  await send(file, response);
}

/** Headers that apply to the file only. */
const fileHeaders = new Set(['etag', 'accept-ranges', 'content-type', 'content-disposition']);

async function send(from: NodeJS.ReadableStream, to: ServerResponse): Promise<void> {
  try {
    await pipeline(from, to);
  } catch (error) {
    // A caller that disconnects in the middle is not an error.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

function gone(): Refusal {
  return new Refusal(404, 'file_unknown', t('refusal.file_unknown'));
}
