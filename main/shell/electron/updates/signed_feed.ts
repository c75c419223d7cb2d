import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { z } from 'zod';
import { feedName, isSigned } from './update_signature.ts';
import type { UpdateSource } from './update_source.ts';

/** An announced installer. */
const File = z.object({
  // A plain name: its file is beside the announcement, and is also saved under it.
  url: z.string().regex(/^[A-Za-z0-9][\w.-]{0,150}$/),
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  /** Bytes. */
  size: z.number().int().positive().max(2e9),
});

/**
 * electron-builder's `latest*.yml`; only these fields are used and the rest (web installers, notes) is
 * dropped.
 */
const Announcement = z
  .object({
    version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/),
    files: z.array(File).min(1).max(8),
    releaseDate: z.coerce.string().max(40).default(''),
    /** Percentage of installations that get it, 0..100. */
    stagingPercentage: z.number().min(0).max(100).default(100),
  })
  .transform(({ files, ...rest }) => ({ ...rest, files, path: files[0]!.url, sha512: files[0]!.sha512 }));
export type Announcement = z.output<typeof Announcement>;

/** Maximum bytes of an announcement or a signature. */
const longest = 65_536;
export interface FeedOptions {
  source: UpdateSource;
  platform: NodeJS.Platform;
  arch: string;
  fetch: (address: string, init: RequestInit) => Promise<Response>;
  signal: AbortSignal;
  /** Time for the announcement and its signature together. */
  timeoutMs?: number | undefined;
}

/**
 * Reads the announcement for this system. Verifies its signature before parsing.
 *
 * @throws Failure `unreachable`, `timeout`, `upstream_refused` (an HTTP error), `upstream_broken` (not signed
 * by us, too long, or not an announcement), `cancelled`
 */
export async function readFeed({
  source,
  platform,
  arch,
  fetch,
  signal,
  timeoutMs = 20_000,
}: FeedOptions): Promise<Announcement> {
  const name = feedName(platform, arch);
  const late = AbortSignal.timeout(timeoutMs);
  const get = async (file: string): Promise<string> => {
    const address = new URL(file, source.base).href;
    try {
      const answer = await fetch(address, {
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.any([signal, late]),
      });
      if (!answer.ok) throw refusal(answer.status);
      return await textOf(answer);
    } catch (error) {
      if (signal.aborted) throw new Failure('cancelled', t('updates.looking_stopped'));
      if (late.aborted) throw tooLate(timeoutMs);
      if (error instanceof Failure) throw error;
      throw new Failure(
        'unreachable',
        t('updates.no_answer', { host: source.base.host, reason: reasonOf(error) }),
        {
          hint: t('updates.look_later_rest_works'),
          retryable: true,
        },
      );
    }
  };
  const [text, signature] = await Promise.all([get(name), get(`${name}.sig`)]);
  if (!isSigned(name, text, signature.trim(), source.key)) throw notOurs();
  return readAnnouncement(text, name);
}

/** Parses a `latest*.yml`. @throws Failure `upstream_broken` if it is not a supported announcement */
export function readAnnouncement(text: string, name: string): Announcement {
  const read = Announcement.safeParse(parsed(text, name));
  if (!read.success) throw broken(`${name} is no announcement: ${z.prettifyError(read.error)}`);
  return read.data;
}

async function textOf(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > longest) throw broken('the announcement is longer than any could be');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(text: string, name: string): unknown {
  try {
    return parseUpdateInfo(text, name, new URL('file:///'));
  } catch {
    return null;
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? String((error.cause as Error | undefined)?.message ?? error.message)
    : String(error);

const refusal = (status: number): Failure =>
  status === 404
    ? new Failure('upstream_refused', t('updates.nothing_for_system'), {
        hint: t('updates.look_where_got'),
      })
    : new Failure('upstream_refused', t('updates.http', { status }), {
        hint: t('updates.look_later'),
        retryable: true,
      });

const tooLate = (timeoutMs: number): Failure =>
  new Failure('timeout', t('updates.no_answer_within', { patience: timeoutMs / 1000 }), {
    hint: t('updates.look_later'),
    retryable: true,
  });

const broken = (what: string): Failure =>
  new Failure('upstream_broken', t('updates.something_else', { what }), {
    hint: t('updates.nothing_downloaded'),
  });

const notOurs = (): Failure =>
  new Failure('upstream_broken', t('updates.not_signed'), {
    hint: t('updates.tell_makers'),
  });
