/**
 * Loaded by the studio's processes while a benchmark watches them (`NODE_OPTIONS=--import`): notes when sound
 * comes in at main, when its request leaves, and when the engine takes and answers it. On SIGUSR2 it writes
 * what it noted to `STAGES_FOLDER`, and begins anew. Milliseconds since 1970, with fractions.
 */
import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one process noted. */
export interface StageNotes {
  /** Main took a block of sound: `[first sample, at]`. */
  taken: [number, number][];
  /** Main's requests to the engine, when they were made. */
  asked: number[];
  /** The engine's answers: `[request's head was there, answer was written]`. */
  answered: [number, number][];
}

const folder = process.env.STAGES_FOLDER ?? '';
const now = (): number => performance.timeOrigin + performance.now();
const none = (): StageNotes => ({ taken: [], asked: [], answered: [] });
let notes = none();

/** The path of A1, whatever stands before it. */
const isVoice = (path: unknown): boolean => String(path).endsWith('/audio-to-face/mesh');

subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { path: string } };
  if (isVoice(request.path)) notes.asked.push(now());
});

const begun = new WeakMap<object, number>();
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: { url?: string } };
  if (isVoice(request.url)) begun.set(request, now());
});
subscribe('http.server.response.finish', (message) => {
  const { request } = message as { request: object };
  const at = begun.get(request);
  if (at !== undefined) notes.answered.push([at, now()]);
});

/**
 * A live message's kind for sound, and where its first sample's position stands (`proto/live_message.ts`).
 */
const [soundKind, positionAt, headBytes] = [1, 16, 24];
const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (name, ...values) {
  const [data, isBinary] = values;
  if (name === 'message' && isBinary === true && Buffer.isBuffer(data) && data.length > headBytes)
    if (data[0] === soundKind) notes.taken.push([data.readDoubleLE(positionAt), now()]);
  return emit.call(this, name, ...values);
};

process.on('SIGUSR2', () => {
  const path = join(folder, `${process.pid}.json`);
  writeFileSync(`${path}.part`, JSON.stringify(notes));
  renameSync(`${path}.part`, path);
  notes = none();
});
