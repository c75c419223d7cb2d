import { type Message, t } from '@likeness/messages';
import { type JsonObject, parseJsonObject, readEnvelope, UnreadableAnswer } from '../operations/envelope.ts';
import type { CollectedAnswer, WireHead } from '../transport/wire.ts';

/** An answer's media type, safe to show in a message. */
export function contentType({ headers }: WireHead): Message {
  const type = headers['content-type'];
  const media = (Array.isArray(type) ? type[0] : type)?.split(';')[0]?.trim() ?? '';
  if (media === '') return t('upstream.no_content_type');
  // Shown completely or not at all: a truncated key can't be recognised (see `without_keys.ts`).
  return media.length > 80 ? t('upstream.long_content_type') : media;
}

/** Code and text of an error body; null if it is not JSON. */
export function envelopeIn(answer: CollectedAnswer): { code: number | null; message: string } | null {
  let object: JsonObject;
  try {
    object = parseJsonObject(answer.body);
  } catch {
    return null;
  }
  try {
    return readEnvelope(object);
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    // Not an envelope; other services put their message into one of these fields.
    const { message, error: reason, detail } = object;
    const words = [message, reason, detail].find((value) => typeof value === 'string');
    return typeof words === 'string' ? { code: null, message: words } : null;
  }
}

/** Bytes of a body to search for readable text. */
const longestExcerpt = 16_384;

/** Whether a body begins like a web page. */
export function looksLikeHtml(body: Buffer | undefined): boolean {
  const start =
    body
      ?.subarray(0, 512)
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
      .trimStart() ?? '';
  return /^<(!doctype html|html|head|body|!--)/i.test(start);
}

/** The readable beginning of a body; empty if it isn't text. */
export function readableBody({ body }: { body: Buffer } & WireHead): string {
  const text = body.subarray(0, longestExcerpt).toString('utf8');
  const odd = [...text.slice(0, 2000)].filter((character) =>
    /[^\P{Cc}\t\r\n]|\ufffd/u.test(character),
  ).length;
  if (odd > text.slice(0, 2000).length / 20) return '';
  // A web page's text, without markup, styles and scripts.
  return /<(!doctype html|html|body)\b/i.test(text)
    ? text
        .replace(/<(script|style|head)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
    : text;
}
