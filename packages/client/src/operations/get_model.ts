import { type Message, t } from '@likeness/messages';
import { maxPhotosPerPerson, type PhotoUse } from '@likeness/proto/heads/person_photos.ts';
import { scrubbed } from '../call.ts';
import type { ClientContext } from '../client_context.ts';
import { announcedExtensions } from '../extensions.ts';
import type { Endpoint } from '../transport/endpoint.ts';
import { described, integer, type JsonObject, optionalText, shown, UnreadableAnswer } from './envelope.ts';
import { envelopeDataOf, readable } from './json_answer.ts';
import { modelCall } from './model_call.ts';
import { quote } from './quote.ts';

/** A model as the server describes it. */
export interface ModelAnswer {
  state: 'ready' | 'processing' | 'failed';
  /** The server's estimate, seconds; 0 if it gave none. */
  waitSeconds: number;
  sex?: 'female' | 'male';
  eyelidType?: 'single' | 'double';
  /** The server's reason of the failure; empty unless `failed`. */
  failMessage: Message;
  /** URL of the model; empty unless `ready`. It may contain a signature that opens it to anyone. */
  downloadLink: string;
  /** Stage of a model in progress, and its progress, 0..1; from the built-in engine. */
  stage?: { name: string; progress: number };
  /** The result for each photo of the person, in order; from servers that accept several. */
  photos?: PhotoUse[];
  /** Warnings: oddities in the answer that could be tolerated, by field. */
  warnings: string[];
}

/**
 * B2: the state of a model. Never billed, so it is retried after any error.
 *
 * @throws UpstreamError
 */
export async function getModel(
  context: ClientContext,
  modelId: string,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  const { endpoint } = context;
  const model = await modelCall(context, 'get_model', modelId, signal, (answer, exchange, origin) => {
    const data = envelopeDataOf(answer, exchange);
    const { modelStage, files } = announcedExtensions(answer.headers);
    return readable(answer, () => ({
      ...readModel(data, origin, modelId),
      ...(modelStage && stageOf(data)),
      ...(files && photosOf(data)),
    }));
  });
  if (model.photos) {
    for (const photo of model.photos) photo.reason = await shownReason(photo.reason, endpoint);
  }
  if (model.failMessage !== '') model.failMessage = await shownWords(model.failMessage, endpoint);
  return model;
}

const states: Readonly<Record<number, ModelAnswer['state']>> = { 1: 'ready', 3: 'processing', 4: 'failed' };
const sexes = { 0: 'male', 1: 'female' } as const;
const eyelids = { 1: 'single', 2: 'double' } as const;

function readModel(data: JsonObject, origin: string, modelId: string): ModelAnswer {
  const { modelId: answered } = data;
  // Taken as this model's failure, it would be ordered and billed again.
  if (typeof answered === 'string' && answered !== '' && answered.toLowerCase() !== modelId.toLowerCase()) {
    throw new UnreadableAnswer('data.modelId', 'other_model');
  }
  const warnings: string[] = [];
  const status = integer(data.status, 'data.status');
  const state = states[status];
  if (!state) throw new UnreadableAnswer('data.status', 'status_unknown', { whatStatus: status });
  const sex = choice(data.sex, 'data.sex', sexes, warnings);
  const eyelidType = choice(data.eyelidType, 'data.eyelidType', eyelids, warnings);
  const model: ModelAnswer = {
    state,
    waitSeconds: waitSecondsOf(data.waitTime, 'data.waitTime', warnings),
    ...(sex && { sex }),
    ...(eyelidType && { eyelidType }),
    failMessage: '',
    downloadLink: state === 'ready' ? linkOf(data.downloadLink, origin, warnings) : '',
    warnings,
  };
  if (state === 'failed') {
    model.failMessage = inBoth(data.failMessages) ?? optionalText(data.failMessage).trim();
    if (model.failMessage === '') {
      warnings.push('data.failMessage is missing');
      model.failMessage = t('upstream.no_reason');
    }
  }
  return model;
}

/** Extension `model-stage`; without the announcement such fields may mean something else. */
function stageOf({ stage, progress }: JsonObject): Pick<ModelAnswer, 'stage'> {
  const known = typeof stage === 'string' && /^[a-z]{1,20}$/.test(stage);
  if (!known || typeof progress !== 'number' || !(progress >= 0 && progress <= 1)) return {};
  return { stage: { name: stage, progress } };
}

/**
 * Reads the extension `files`: the result for each photo, in upload order. The front one, number 0, may be
 * missing: the head proves it was used. Empty if the numbers have a gap; an unreadable list must not lose a
 * head.
 */
function photosOf({ photos }: JsonObject): Pick<ModelAnswer, 'photos'> {
  if (!Array.isArray(photos) || photos.length === 0) return {};
  const uses: PhotoUse[] = [];
  for (const photo of photos.slice(0, maxPhotosPerPerson)) {
    if (typeof photo !== 'object' || photo === null) return {};
    const { index, used, reason, view, yaw } = photo as JsonObject;
    if (uses.length === 0 && index === 1) uses.push({ used: true, reason: null, view: '', yaw: null });
    if (index !== uses.length || typeof used !== 'boolean') return {};
    const words = (reason ?? {}) as Record<string, unknown>;
    const isReason = typeof words.en === 'string' && typeof words.zh === 'string';
    uses.push({
      used,
      reason: isReason ? { en: String(words.en), zh: String(words.zh) } : null,
      view: typeof view === 'string' && /^[a-zA-Z_-]{1,30}$/.test(view) ? view : '',
      yaw: typeof yaw === 'number' && Math.abs(yaw) <= 180 ? yaw : null,
    });
  }
  return { photos: uses.slice(0, maxPhotosPerPerson) };
}

async function shownReason(reason: PhotoUse['reason'], endpoint: Endpoint): Promise<PhotoUse['reason']> {
  if (reason === null) return null;
  const shown = async (text: string): Promise<string> => quote(await scrubbed(endpoint, text), []);
  return { en: await shown(reason.en), zh: await shown(reason.zh) };
}

async function shownWords(message: Message, endpoint: Endpoint): Promise<Message> {
  const shown = async (text: string): Promise<string> => quote(await scrubbed(endpoint, text), []);
  if (typeof message === 'string') return shown(message);
  const { words } = message.values;
  if (typeof words !== 'object' || !('en' in words)) return message;
  return t('upstream.in_both', { words: { en: await shown(words.en), zh: await shown(words.zh) } });
}

/**
 * Returns the reason in both languages, as the built-in engine sends it (extension `both-languages`);
 * otherwise null.
 */
function inBoth(value: unknown): Message | null {
  const { en, zh } = (value ?? {}) as Record<string, unknown>;
  if (typeof en !== 'string' || typeof zh !== 'string' || en.trim() === '' || zh.trim() === '') return null;
  return t('upstream.in_both', { words: { en, zh } });
}

/** Parses an estimate; an unreadable one is 0 with a warning, because it isn't worth an error. */
export function waitSecondsOf(value: unknown, field: string, warnings: string[]): number {
  if (value === undefined || value === null || value === '') return 0;
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0) return seconds;
  warnings.push(`${field} is ${shown(value)}, not a number of seconds; taken as 0`);
  return 0;
}

function choice<T extends string>(
  value: unknown,
  field: string,
  known: Readonly<Record<number, T>>,
  warnings: string[],
): T | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  const found = typeof number === 'number' ? known[number] : undefined;
  if (!found)
    warnings.push(`${field} is ${shown(value)}; only ${Object.keys(known).join(' and ')} are known`);
  return found;
}

function linkOf(value: unknown, origin: string, warnings: string[]): string {
  if (value === undefined || value === null || value === '') {
    throw new UnreadableAnswer('data.downloadLink', 'link_missing');
  }
  if (typeof value !== 'string' || value.length > 16_384 || !URL.canParse(value.trim(), origin)) {
    throw new UnreadableAnswer('data.downloadLink', 'no_address', { value: described(value) });
  }
  const link = value.trim();
  if (!URL.canParse(link)) warnings.push("data.downloadLink has no host; the server's own was taken");
  return new URL(link, origin).href;
}
