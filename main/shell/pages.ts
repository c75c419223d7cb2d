import { type FileHandle, readFile, realpath } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { imageHeadBytes, imageKind, imageType } from '@likeness/node-kit/image_kind.ts';
import { contentRangeOf, isUnchanged, requestedRange } from '@likeness/node-kit/network/byte_range.ts';
import { openInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { type AssetKind, assetKinds } from '#contract';

export interface PagesOptions {
  /** Folder of the built renderer. */
  rendererFolder: string;
  /** Absolute path of an asset by kind and id; null if there is none. */
  asset(kind: AssetKind, id: string): Promise<string | null>;
  /** A script of the shell, served as `/bridge.js` and run before the app (the browser shell's bridge). */
  bridgeFile?: string;
}

/**
 * Answers requests for the page and its assets, identically for both shells. @param from `page`: only the
 * studio's own code, no user data, however the address is written. Default: both.
 */
export type Pages = (request: Request, from?: 'page' | 'both') => Promise<Response>;

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.cjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.ico': 'image/x-icon',
};

/**
 * The page's policy: only our own origin. `style-src 'unsafe-inline'` is for the component library's computed
 * styles; scripts allow neither inline nor eval. `wasm-unsafe-eval` is for the meshopt decoder of compressed
 * heads.
 */
const contentSecurityPolicy: string = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self' blob:",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=(), usb=(), serial=(), payment=()',
};

/** For unknown content: a browser can only save it. */
const unknownType = 'application/octet-stream';

/**
 * Media type of an asset by its kind; `picture`: by its first bytes. The file name does not count, because
 * the file's author chose it.
 */
const assetTypes: Record<AssetKind, string> = {
  model: 'model/gltf-binary',
  'default-head': 'model/gltf-binary',
  thumbnail: 'picture',
  'earlier-model': 'model/gltf-binary',
  'earlier-thumbnail': 'picture',
  'head-preview': 'model/gltf-binary',
  portrait: 'picture',
  photo: 'picture',
  'photo-small': 'picture',
  'take-audio': 'audio/wav',
  'take-face': unknownType,
  'take-second': unknownType,
  'take-audio-view': unknownType,
  'take-face-view': unknownType,
  'take-second-view': unknownType,
  'take-edited-audio': 'audio/wav',
  'take-overdub': unknownType,
  'take-overdub-audio': 'audio/wav',
  export: unknownType,
  'take-export': unknownType,
  'film-source': unknownType,
};

/**
 * An asset comes from outside but has the page's origin. As a picture, audio or bytes it works normally;
 * opened as a page it becomes a download, and if displayed it has no rights.
 */
const assetHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'content-disposition': 'attachment',
  'cache-control': 'no-cache',
};

export function createPages({ rendererFolder, asset, bridgeFile }: PagesOptions): Pages {
  const headers = securityHeaders;
  const plain = (status: number, text: string): Response =>
    new Response(text, {
      status,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    });

  return async (request, from = 'both') => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'GET and HEAD only');
    let path: string;
    try {
      path = decodeURIComponent(new URL(request.url).pathname);
    } catch {
      return plain(400, 'Not a valid address');
    }
    if (path.includes('\0') || path.includes('\\')) return plain(400, 'Not a valid address');

    const assetMatch = /^\/asset\/([a-z-]+)\/((?:[A-Za-z0-9_-]{1,64}\.)?[A-Za-z0-9_-]{1,64})$/.exec(path);
    if (path.startsWith('/asset/')) {
      if (from === 'page') return plain(401, 'Assets have an address of their own.');
      const kind = assetKinds.find((candidate) => candidate === assetMatch?.[1]);
      const file = kind && assetMatch?.[2] ? await asset(kind, assetMatch[2]) : null;
      if (!kind || !file) return plain(404, 'No such asset');
      const type = assetTypes[kind];
      return sendFile(request, file, assetHeaders, plain, type === 'picture' ? pictureType : () => type);
    }
    if (path === '/bridge.js' && bridgeFile) {
      return sendFile(request, bridgeFile, { ...headers, 'cache-control': 'no-store' }, plain);
    }
    if (path === '/' || path === '/index.html') {
      const html = await readFile(join(rendererFolder, 'index.html'), 'utf8').catch(() => null);
      if (html === null)
        return plain(500, 'The page is missing from this installation. Install the studio again.');
      const page = bridgeFile
        ? html.replace('<script', '<script type="module" src="/bridge.js"></script>\n    <script')
        : html;
      return new Response(request.method === 'HEAD' ? null : page, {
        headers: { ...headers, 'content-type': mediaTypes['.html'] ?? '', 'cache-control': 'no-store' },
      });
    }
    const file = await insideFolder(rendererFolder, path);
    if (!file) return plain(404, 'Not found');
    const immutable = path.startsWith('/assets/');
    return sendFile(
      request,
      file,
      { ...headers, 'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache' },
      plain,
    );
  };
}

/**
 * Returns the real path of `path` within `folder`, or null if it does not exist or leads outside (also by a
 * link).
 */
async function insideFolder(folder: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, path));
    return file.startsWith(root + sep) ? file : null;
  } catch {
    return null;
  }
}

/** Returns a picture's media type by its first bytes. */
async function pictureType(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(imageHeadBytes), 0, imageHeadBytes, 0);
  const kind = imageKind(buffer.subarray(0, bytesRead));
  return kind === null ? unknownType : imageType(kind).mediaType;
}

type Plain = (status: number, text: string) => Response;

/** Bytes of a large file per read: with the default of 64 KB, ten minutes of a face take twice the time. */
const pieceBytes = 512 * 1024;

async function sendFile(
  request: Request,
  file: string,
  headers: Record<string, string>,
  plain: Plain,
  typeOf: (handle: FileHandle) => Promise<string> | string = () =>
    mediaTypes[extname(file).toLowerCase()] ?? unknownType,
): Promise<Response> {
  let handle: FileHandle | undefined;
  try {
    // Sends the file that was checked: a link that replaced it meanwhile is not followed.
    handle = await openInside(dirname(file), file);
    const stat = await handle.stat();
    if (!stat.isFile()) return plain(404, 'Not found');
    const etag = `"${stat.size.toString(36)}-${Math.floor(stat.mtimeMs).toString(36)}"`;
    const common = {
      ...headers,
      etag,
      'accept-ranges': 'bytes',
      'content-type': await typeOf(handle),
    };
    if (isUnchanged(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers: common });
    const range = requestedRange(
      { range: request.headers.get('range'), ifRange: request.headers.get('if-range') },
      etag,
      stat.size,
    );
    if (range === 'unsatisfiable') {
      return new Response(null, {
        status: 416,
        headers: { ...common, 'content-range': contentRangeOf(null, stat.size) },
      });
    }
    const { first, last } = range ?? { first: 0, last: stat.size - 1 };
    const length = Math.max(0, last - first + 1);
    const partial: Record<string, string> = range
      ? { 'content-range': contentRangeOf(range, stat.size) }
      : {};
    const answer = {
      status: range ? 206 : 200,
      headers: { ...common, ...partial, 'content-length': String(length) },
    };
    if (request.method === 'HEAD' || length === 0) return new Response(null, answer);
    const body = Readable.toWeb(
      handle.createReadStream({ start: first, end: last, highWaterMark: pieceBytes }),
    );
    handle = undefined; // the stream closes it
    return new Response(body as unknown as ReadableStream<Uint8Array>, answer);
  } catch {
    return plain(404, 'Not found');
  } finally {
    await handle?.close();
  }
}
