/**
 * Sends a take’s face to the page while it loads, with the measurements needed to draw it, computed between
 * two pieces.
 */
import { type FaceParts, PackedFace } from '@likeness/proto/face/packed_face.ts';
import { isPackedFaceFile, PackedFaceFileReader } from '@likeness/proto/face/packed_face_file.ts';
import { PackedTakeReader } from '@likeness/proto/packed_take.ts';
import { FaceMeasurer, type FaceMeasures } from '../editor/timeline/take-curves.ts';
import type { FromFaceWorker } from './face-worker-message.ts';

/**
 * Milliseconds before the beginning of a take is sent ahead of the rest: if the whole takes that long, and at
 * the latest in any case. Two messages cost the page extra work.
 */
const patience = { least: 120, all: 500, most: 400 };

/** Tells; what is to be transferred changes hands. */
type Post = (message: FromFaceWorker, transfer: ArrayBuffer[]) => void;

/** @param pieces of a packed face’s file, or of the messages that it is made of @throws where it can’t be read */
export async function sendFace(
  id: number,
  pieces: AsyncGenerator<Uint8Array>,
  wantsBeginning: boolean,
  post: Post,
): Promise<void> {
  const first = await pieces.next();
  const start = first.done ? new Uint8Array(0) : first.value;
  if (isPackedFaceFile(start)) await sendPacked(id, start, pieces, wantsBeginning, post);
  else await sendMessages(id, start, pieces, post);
}

async function sendPacked(
  id: number,
  start: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
  wantsBeginning: boolean,
  post: Post,
): Promise<void> {
  const reader = new PackedFaceFileReader();
  const began = performance.now();
  let measurer: FaceMeasurer | null = null;
  let measured = 0;
  const take = (bytes: Uint8Array): void => {
    reader.push(bytes);
    const { face, read } = reader;
    if (!face || reader.passOn) return;
    measurer ??= new FaceMeasurer(face.channelNames.length, face.count);
    // While the next piece is on its way.
    measurer.take(face, measured, read);
    measured = read;
    if (wantsBeginning && takesLong(reader, performance.now() - began)) begin(id, reader, measurer, post);
  };
  take(start);
  for await (const bytes of pieces) take(bytes);
  const face = reader.finish();
  const all = measurer ?? new FaceMeasurer(face.channelNames.length, face.count);
  hand(id, all.measured(), reader.passOn ? null : face.parts(), post);
}

function takesLong({ face, read }: PackedFaceFileReader, elapsed: number): boolean {
  if (read === 0 || elapsed < patience.least) return false;
  return elapsed > patience.most || elapsed * (face!.count / read) > patience.all;
}

/** Hands over what there is, and from then on what comes. */
function begin(id: number, reader: PackedFaceFileReader, measurer: FaceMeasurer, post: Post): void {
  const face = reader.face!;
  const { channelNames, frameRate, hasPoses: poses, hasGazes: gazes } = face;
  const head = { channelNames, frameRate, poses, gazes };
  const times = face.times.slice();
  const values = face.block(0, reader.read);
  const { turns, ranges } = measurer.measured();
  const measured = { turns: turns.map((turn) => turn.slice()), ranges };
  const buffers = [times, values, ...measured.turns].map(({ buffer }) => buffer);
  post({ kind: 'begun', id, head, times, first: { from: 0, to: reader.read, values }, measured }, buffers);
  const allTimes = face.times;
  reader.passOn = (from, to, block) => {
    const part = PackedFace.awaited(head, allTimes.slice(from, to));
    part.setBlock(0, to - from, block);
    measurer.take(part, 0, to - from, from);
    post({ kind: 'block', id, block: { from, to, values: block } }, [block.buffer]);
  };
}

/** The messages themselves: columns are made of them for the next time. */
async function sendMessages(
  id: number,
  start: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
  post: Post,
): Promise<void> {
  const reader = new PackedTakeReader();
  reader.push(start);
  for await (const bytes of pieces) reader.push(bytes);
  const face = reader.finish();
  const measurer = new FaceMeasurer(face.channelNames.length, face.count);
  measurer.take(face, 0, face.count);
  hand(id, measurer.measured(), face.parts(), post);
}

/** Arrays change hands: nothing of them is copied. */
function hand(id: number, measured: FaceMeasures, parts: FaceParts | null, post: Post): void {
  const own = parts ? [parts.times, ...parts.columns, parts.poses, parts.gazes, parts.shares] : [];
  const arrays = [...own, ...measured.turns].filter((array) => array !== null);
  const buffers = new Set(arrays.map(({ buffer }) => buffer as ArrayBuffer));
  post({ kind: 'whole', id, parts, measured }, [...buffers]);
}
