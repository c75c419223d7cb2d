import { basename, resolve } from 'node:path';
import { inEnglish, t } from '@likeness/messages';
import { glbVersion } from '@likeness/proto/glb_header.ts';
import { BadAnswer } from '../bad_answer.ts';
import { call, scrubbed } from '../call.ts';
import type { ClientContext } from '../client_context.ts';
import { UpstreamError } from '../error.ts';
import { bytes } from '../explain/amounts.ts';
import { contentType, looksLikeHtml } from '../explain/answer_text.ts';
import { followLink, leave, parseLink } from '../transport/follow_link.ts';
import { priorities } from '../transport/pace.ts';
import { beginning } from '../transport/stream_answer.ts';
import type { StreamedAnswer } from '../transport/wire.ts';
import { UnreadableAnswer } from './envelope.ts';
import { contentRange, type OpenPart, PartFile } from './part_file.ts';

export interface DownloadOptions {
  /** Maximum bytes. Default 1 GiB. */
  maxBytes?: number;
  /** `glb`: accepts only a binary glTF 2.0. `any`: accepts anything but a web page. Default `glb`. */
  accept?: 'glb' | 'any';
  /** Bytes so far, and in total if the server says so. */
  onProgress?: (received: number, total: number | null) => void;
  signal?: AbortSignal;
}

export interface DownloadResult {
  /** Size of the file. */
  bytes: number;
  /** SHA-256 of the file, hex. */
  sha256: string;
  contentType: string;
}

const defaultMaxBytes = 1024 * 1024 * 1024;
/** Bytes of a GLB's header: magic, version, length (glTF 2.0, 4.4.2). */
const glbHeaderBytes = 12;

/** Targets that this process is writing. */
const activeTargets = new Set<string>();

/**
 * Downloads a file that a server linked to into `target`, completely or not at all: it is written as
 * `<target>.part`, checked, flushed and renamed. A partial download is resumed in the next attempt or the
 * next run if the server supports ranges and the file has not changed. `follow_link.ts` decides which links
 * to follow.
 *
 * @throws UpstreamError, or Failure `storage` if the disk is full or read-only
 */
export async function download(
  context: ClientContext,
  link: string,
  target: string,
  options: DownloadOptions,
  openPart?: OpenPart,
): Promise<DownloadResult> {
  const path = resolve(target);
  if (activeTargets.has(path)) {
    throw new UpstreamError('conflict', t('upstream.downloading_already', { file: basename(path) }), {
      operation: 'download',
      hint: t('upstream.wait_until_there'),
    });
  }
  activeTargets.add(path);
  try {
    const url = parseLink(link);
    return await call(
      { ...context, pace: context.downloadPace },
      {
        operation: 'download',
        group: null,
        host: url.host,
        // Without the query: a signature in it would open the file to any reader of the journal.
        subject: (await scrubbed(context.endpoint, `${url.host}${url.pathname}`)).slice(0, 200),
        idempotent: true,
        purpose: 'download',
        priority: priorities.upload,
      },
      options.signal,
      async (attempt) => {
        const rule = await context.transport.downloadRule();
        const file = await PartFile.find(path, url, openPart);
        const answer = await followLink(context, attempt, url, rule, file.rangeHeaders);
        try {
          return await receive(answer, url, file, options, (text) => scrubbed(context.endpoint, text));
        } catch (error) {
          // Discard a wrong file; keep one that only broke off or was refused this time, to resume it.
          const useless =
            error instanceof UpstreamError || (error instanceof BadAnswer && error.kind !== 'refused');
          await (useless ? file.remove() : file.keepForNextTry());
          throw error;
        } finally {
          await leave(answer);
        }
      },
    );
  } finally {
    activeTargets.delete(path);
  }
}

async function receive(
  answer: StreamedAnswer,
  url: URL,
  file: PartFile,
  { accept = 'glb', maxBytes = defaultMaxBytes, onProgress }: DownloadOptions,
  clean: (text: string) => Promise<string>,
): Promise<DownloadResult> {
  const { status, headers } = answer;
  const resumes = status === 206 && file.continuesWith(headers);
  if (status === 416 || (status === 206 && !resumes)) throw changedMeanwhile(url, status);
  if (status !== 200 && !resumes) throw BadAnswer.refused(await beginning(answer));

  const type = inEnglish(contentType(answer));
  const encoding = headers['content-encoding'];
  if (encoding && encoding !== 'identity') {
    throw unreadable(answer, new UnreadableAnswer('', 'file_packed', { encoding }));
  }
  if (/^text\/html|xhtml/i.test(type)) {
    throw BadAnswer.unreadable(await beginning(answer), new UnreadableAnswer('', 'page_not_file'));
  }
  const total = totalOf(answer, resumes ? file.size : 0);
  if (total !== null && total > maxBytes) throw tooLarge(url, total, maxBytes);
  if (total !== null) await file.checkSpace(total - (resumes ? file.size : 0));

  if (resumes) await file.resume();
  else {
    // The file's version (ETag) is stored beside it; if it contains a key, the download can't be resumed
    // later.
    const noted = [url.origin, url.pathname, headers.etag, headers['last-modified']].join(' ');
    await file.restart(url, (await clean(noted)) === noted ? headers : {}, total);
  }
  let checked = false;
  for await (const chunk of answer.body) {
    if (file.size + chunk.byteLength > maxBytes) throw tooLarge(url, null, maxBytes);
    await file.append(chunk);
    if (!checked && file.head.byteLength >= glbHeaderBytes) {
      checkHead(answer, file.head, accept);
      checked = true;
    }
    onProgress?.(file.size, total);
  }
  checkWhole(answer, file, total, accept);
  await file.commit();
  return { bytes: file.size, sha256: file.sha256, contentType: type };
}

/** Returns the size of the whole file, if the server states it. */
function totalOf({ status, headers }: StreamedAnswer, start: number): number | null {
  if (status === 206) {
    const total = contentRange(headers)?.total ?? null;
    if (total !== null) return total;
  }
  const length = headers['content-length'];
  return length !== undefined && /^\d+$/.test(length) ? start + Number(length) : null;
}

function checkHead(answer: StreamedAnswer, head: Buffer, accept: 'glb' | 'any'): void {
  if (looksLikeHtml(head)) throw unreadable(answer, new UnreadableAnswer('', 'page_not_file'), head);
  if (accept === 'any') return;
  const version = glbVersion(head);
  if (version === null) throw unreadable(answer, new UnreadableAnswer('', 'file_no_glb'), head);
  if (version !== 2) throw unreadable(answer, new UnreadableAnswer('', 'file_version', { version }));
}

function checkWhole(
  answer: StreamedAnswer,
  file: PartFile,
  total: number | null,
  accept: 'glb' | 'any',
): void {
  if (file.size === 0) throw unreadable(answer, new UnreadableAnswer('', 'file_empty'));
  checkHead(answer, file.head, accept);
  if (total !== null && file.size !== total) {
    throw unreadable(answer, new UnreadableAnswer('', 'file_cut', { size: file.size, total }));
  }
  if (accept === 'any') return;
  const own = file.head.byteLength >= glbHeaderBytes ? file.head.readUInt32LE(8) : 0;
  if (file.size !== own) {
    throw unreadable(answer, new UnreadableAnswer('', 'file_header', { size: file.size, own }));
  }
}

function unreadable(
  { status, headers }: StreamedAnswer,
  problem: UnreadableAnswer,
  body?: Buffer,
): BadAnswer {
  return BadAnswer.unreadable({ status, headers, ...(body && { body }) }, problem);
}

function tooLarge(url: URL, total: number | null, max: number): UpstreamError {
  return new UpstreamError(
    'upstream_broken',
    total === null
      ? t('upstream.file_larger', { host: url.host, most: bytes(max) })
      : t('upstream.file_too_large', { host: url.host, total: bytes(total), most: bytes(max) }),
    { operation: 'download', hint: t('upstream.unlikely_large') },
  );
}

function changedMeanwhile(url: URL, status: number): UpstreamError {
  return new UpstreamError('upstream_broken', t('upstream.file_changed', { host: url.host, status }), {
    operation: 'download',
    httpStatus: status,
    hint: t('upstream.fetched_again'),
    retryable: true,
  });
}
