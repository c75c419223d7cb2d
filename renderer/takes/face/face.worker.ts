/** Reads takes’ faces and finds out what is needed to draw them, while the page goes on answering. */
import type { FaceParts } from '#proto/face/packed_face.ts';
import { isPackedFaceFile, PackedFaceFileReader } from '#proto/face/packed_face_file.ts';
import { PackedTakeReader } from '#proto/packed_take.ts';
import { type FaceMeasures, measuredFace } from '../editor/timeline/take-curves.ts';
import { piecesOf } from '../fetched-bytes.ts';
import type { FromFaceWorker, ToFaceWorker } from './face-worker-message.ts';

/**
 * Milliseconds after which the beginning of a take is handed over while the rest is on its way, and those that it must
 * be going to take in all: handing one over twice is work for the page.
 */
const patience = { least: 120, all: 500 };

const underWay = new Map<number, AbortController>();

const answer = (message: FromFaceWorker, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer });

self.onmessage = ({ data }: MessageEvent<ToFaceWorker>): void => {
  if (data.kind === 'stop') underWay.get(data.id)?.abort();
  else void read(data);
};

async function read({ id, url, wantsBeginning }: ToFaceWorker & { kind: 'read' }): Promise<void> {
  const stop = new AbortController();
  underWay.set(id, stop);
  try {
    const pieces = piecesOf(url, stop.signal);
    const first = await pieces.next();
    const start = first.done ? new Uint8Array(0) : first.value;
    if (isPackedFaceFile(start)) await readPacked(id, start, pieces, wantsBeginning);
    else await readMessages(id, start, pieces);
  } catch (error) {
    answer({ kind: 'failed', id, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    underWay.delete(id);
  }
}

async function readPacked(
  id: number,
  start: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
  wantsBeginning: boolean,
): Promise<void> {
  const reader = new PackedFaceFileReader();
  const began = performance.now();
  reader.push(start);
  for await (const bytes of pieces) {
    reader.push(bytes);
    if (wantsBeginning && !reader.passOn && takesLong(reader, performance.now() - began)) begin(id, reader);
  }
  const face = reader.finish();
  if (reader.passOn) answer({ kind: 'whole', id, made: null });
  else hand(id, measuredFace(face), face.parts());
}

function takesLong({ face, read }: PackedFaceFileReader, elapsed: number): boolean {
  return read > 0 && elapsed > patience.least && elapsed * (face!.count / read) > patience.all;
}

/** Hands over what there is, and from then on what comes: two of three hours would be too much for one moment. */
function begin(id: number, reader: PackedFaceFileReader): void {
  const { face, read } = reader;
  if (!face) return;
  const times = face.times.slice();
  const values = face.block(0, read);
  const { channelNames, frameRate, hasPoses: poses, hasGazes: gazes } = face;
  answer(
    {
      kind: 'begun',
      id,
      head: { channelNames, frameRate, poses, gazes },
      times,
      first: { from: 0, to: read, values },
    },
    [times.buffer, values.buffer],
  );
  reader.passOn = (from, to, block) =>
    answer({ kind: 'block', id, block: { from, to, values: block } }, [block.buffer]);
}

/** The messages themselves: columns are made of them for the next time. */
async function readMessages(id: number, start: Uint8Array, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const reader = new PackedTakeReader();
  reader.push(start);
  for await (const bytes of pieces) reader.push(bytes);
  const face = reader.finish();
  hand(id, measuredFace(face), face.parts());
}

/** Arrays change hands: nothing of them is copied. */
function hand(id: number, measured: FaceMeasures, parts: FaceParts): void {
  const { times, columns, poses, gazes, shares } = parts;
  const arrays = [times, ...columns, poses, gazes, shares, ...measured.turns];
  const buffers = arrays.flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
  answer({ kind: 'whole', id, made: { parts, measured } }, [...new Set(buffers)]);
}
