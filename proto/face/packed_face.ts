import type { EyeGaze, HeadPose } from '../face_stream_protocol.ts';
import type { PlayableFace } from '../take_stream.ts';
import { lastNotAfter, shareBetween } from './frames_around.ts';
import { FrameView } from './own_frame.ts';

type Frame = PlayableFace['frames'][number];

const poseFloats = 7;
const gazeFloats = 4;
/** Recorded values have 32 bits; poses and eyes that edits compute keep 64. */
type Real = Float32Array | Float64Array;
type RealBits = 32 | 64;
/** Frames that there is room for at first. */
const firstRoom = 4096;

/** The arrays of a face, without anything else: what another thread is handed of it. */
export interface FaceParts extends Pick<PlayableFace, 'channelNames' | 'frameRate'> {
  /** Times of the frames, seconds. */
  times: Float64Array<ArrayBuffer>;
  columns: Float32Array<ArrayBuffer>[];
  poses: Real | null;
  gazes: Real | null;
  shares: Float32Array;
}

/**
 * A face in columns, one per channel. It takes a few numbers per frame, a third of frames as objects, and a
 * curve is drawn directly from its column.
 *
 * Its frames are views that copy their weights at each read. They have no own properties: `{ ...frame }` is
 * empty, and `PlayableFrame` makes the compiler report that.
 */
export class PackedFace implements PlayableFace {
  readonly channelNames: readonly string[];
  readonly frameRate: number;
  /** Made when somebody asks for frames: who plays a face needs two of them. */
  #views: Frame[] | null = null;
  #count = 0;
  #times: Float64Array<ArrayBuffer>;
  #columns: Float32Array<ArrayBuffer>[];
  /** Translation and rotation, or eyes, of each frame, NaN where there are none; null as long as no frame has them. */
  #poses: Real | null = null;
  #gazes: Real | null = null;
  readonly #poseBits: RealBits;
  #shares: Float32Array = new Float32Array(0);
  /** Columns are another's too: they are copied before the first change. */
  #isShared = false;

  /** @param poseBits of the numbers of poses and eyes @param room frames that there is room for at first */
  constructor(
    { channelNames, frameRate }: Pick<PlayableFace, 'channelNames' | 'frameRate'>,
    poseBits: RealBits = 32,
    room = firstRoom,
  ) {
    this.#times = new Float64Array(room);
    this.#poseBits = poseBits;
    this.channelNames = channelNames;
    this.frameRate = frameRate;
    this.#columns = channelNames.map(() => new Float32Array(room));
  }

  /** A face as it is, or packed. */
  static of(face: PlayableFace): PackedFace {
    if (face instanceof PackedFace) return face;
    const packed = new PackedFace(face);
    for (const frame of face.frames) packed.push(frame);
    packed.#shares = face.serverShare;
    return packed.trimmed();
  }

  /** A face whose frames come block by block: until then they are at rest. @param times of all of them, kept */
  static awaited(
    head: Pick<PlayableFace, 'channelNames' | 'frameRate'> & { poses: boolean; gazes: boolean },
    times: Float64Array<ArrayBuffer>,
  ): PackedFace {
    const face = new PackedFace({ channelNames: [], frameRate: head.frameRate });
    const room = times.length;
    Object.assign(face, { channelNames: head.channelNames });
    face.#times = times;
    face.#columns = head.channelNames.map(() => new Float32Array(room));
    if (head.poses) face.#poses = face.#missing(room * poseFloats);
    if (head.gazes) face.#gazes = face.#missing(room * gazeFloats);
    face.#count = room;
    return face;
  }

  /** A face of such arrays, which are its own from then on. */
  static from({ channelNames, frameRate, times, columns, poses, gazes, shares }: FaceParts): PackedFace {
    const face = new PackedFace({ channelNames, frameRate }, 32, 0);
    face.#times = times;
    face.#columns = columns;
    face.#poses = poses;
    face.#gazes = gazes;
    face.#shares = shares;
    face.#count = times.length;
    return face;
  }

  /** Its arrays themselves: whoever gets them has the face, and this one is to be used no more. */
  parts(): FaceParts {
    this.trimmed();
    return {
      channelNames: this.channelNames,
      frameRate: this.frameRate,
      times: this.#times,
      columns: this.#columns,
      poses: this.#poses,
      gazes: this.#gazes,
      shares: this.serverShare,
    };
  }

  /** How many frames there are. */
  get count(): number {
    return this.#count;
  }

  get frames(): Frame[] {
    this.#views ??= Array.from({ length: this.#count }, (_, at) => new PackedFrame(this, at));
    return this.#views;
  }

  get hasPoses(): boolean {
    return this.#poses !== null;
  }

  get hasGazes(): boolean {
    return this.#gazes !== null;
  }

  /** Numbers that a frame of a block has. */
  get blockFloats(): number {
    return this.#columns.length + (this.#poses ? poseFloats : 0) + (this.#gazes ? gazeFloats : 0) + 1;
  }

  /** Frames `from` … `to` − 1, array by array: the columns, poses and eyes where there are any, the shares. */
  block(from: number, to: number): Float32Array<ArrayBuffer> {
    const made = new Float32Array(this.blockFloats * (to - from));
    let at = 0;
    for (const part of this.#partsOf(from, to)) {
      made.set(part, at);
      at += part.length;
    }
    return made;
  }

  /** Takes such a block over, into shared columns too: they wait for the same face. */
  setBlock(from: number, to: number, block: Float32Array): void {
    let at = 0;
    for (const part of this.#partsOf(from, to)) {
      part.set(block.subarray(at, at + part.length));
      at += part.length;
    }
  }

  *#partsOf(from: number, to: number): Generator<Real> {
    for (const column of this.#columns) yield column.subarray(from, to);
    if (this.#poses) yield this.#poses.subarray(from * poseFloats, to * poseFloats);
    if (this.#gazes) yield this.#gazes.subarray(from * gazeFloats, to * gazeFloats);
    yield this.serverShare.subarray(from, to);
  }

  /** By frame; without a server's face 0. */
  get serverShare(): Float32Array {
    if (this.#shares.length !== this.#count) this.#shares = new Float32Array(this.#count);
    return this.#shares;
  }

  set serverShare(shares: Float32Array) {
    this.#shares = shares;
  }

  /** Times of the frames, seconds, increasing. */
  get times(): Float64Array {
    return this.#times.subarray(0, this.#count);
  }

  /** The weights of a channel, by frame. Changes with `set`. */
  column(channel: number): Float32Array {
    return this.#columns[channel]!.subarray(0, this.#count);
  }

  push(frame: Frame): void {
    const at = this.#count;
    if (at === this.#times.length) this.#resize(Math.max(firstRoom, Math.ceil(at * 1.5)));
    this.#times[at] = frame.timeCode;
    this.#count += 1;
    this.#views?.push(new PackedFrame(this, at));
    this.set(at, frame);
  }

  /** Puts another face in place of a frame's; its time stays. */
  set(at: number, { weights, headPose, eyeGaze }: Frame): void {
    this.own();
    const columns = this.#columns;
    for (let channel = 0; channel < columns.length; channel++) columns[channel]![at] = weights[channel] ?? 0;
    if (headPose && !this.#poses) this.#poses = this.#missing(this.#times.length * poseFloats);
    this.#poses?.set(
      headPose ? [...headPose.translation, ...headPose.rotation] : [Number.NaN],
      at * poseFloats,
    );
    if (eyeGaze && !this.#gazes) this.#gazes = this.#missing(this.#times.length * gazeFloats);
    this.#gazes?.set(
      eyeGaze ? [eyeGaze.leftYaw, eyeGaze.leftPitch, eyeGaze.rightYaw, eyeGaze.rightPitch] : [Number.NaN],
      at * gazeFloats,
    );
  }

  /** The same face, to be changed on its own: the columns are one until then. Neither takes further frames. */
  shared(): PackedFace {
    const twin = new PackedFace({ channelNames: [], frameRate: this.frameRate }, this.#poseBits);
    Object.assign(twin, { channelNames: this.channelNames });
    twin.#times = this.#times;
    twin.#columns = [...this.#columns];
    twin.#poses = this.#poses;
    twin.#gazes = this.#gazes;
    twin.#shares = this.serverShare;
    twin.#count = this.#count;
    this.#isShared = true;
    twin.#isShared = true;
    return twin;
  }

  /** The same face, so many seconds later; as {@link shared}. */
  later(by: number): PackedFace {
    const twin = this.shared();
    twin.#times = this.#times.map((time) => time + by);
    return twin;
  }

  /** Makes columns that are shared its own. @returns whether they were shared */
  own(): boolean {
    if (!this.#isShared) return false;
    this.#isShared = false;
    this.#columns = this.#columns.map((column) => column.slice());
    this.#poses = this.#poses?.slice() ?? null;
    this.#gazes = this.#gazes?.slice() ?? null;
    return true;
  }

  /** Gives back the room for frames that did not come. */
  trimmed(): this {
    this.#resize(this.#count);
    return this;
  }

  /** Seconds. */
  time(at: number): number {
    return this.#times[at]!;
  }

  /** The frames around a moment, as `framesAround` finds them among others, without a view of each; null without any. */
  around(seconds: number): { from: Frame; to: Frame; mix: number } | null {
    if (this.#count === 0) return null;
    const times = this.#times;
    const at = lastNotAfter(this.#count, (index) => times[index]!, seconds);
    const next = Math.min(this.#count - 1, at + 1);
    return {
      from: new PackedFrame(this, at),
      to: new PackedFrame(this, next),
      mix: shareBetween(times[at]!, times[next]!, seconds),
    };
  }

  weights(at: number): Float32Array<ArrayBuffer> {
    const columns = this.#columns;
    const weights = new Float32Array(columns.length);
    for (let channel = 0; channel < columns.length; channel++) weights[channel] = columns[channel]![at]!;
    return weights;
  }

  pose(at: number): HeadPose | undefined {
    const from = at * poseFloats;
    const poses = this.#poses;
    if (!poses || Number.isNaN(poses[from]!)) return undefined;
    return {
      translation: [poses[from]!, poses[from + 1]!, poses[from + 2]!],
      rotation: [poses[from + 3]!, poses[from + 4]!, poses[from + 5]!, poses[from + 6]!],
    };
  }

  /** Writes the head's quaternion, x y z w, into `into`; false where the frame has none. */
  rotation(at: number, into: Float64Array): boolean {
    const from = at * poseFloats;
    const poses = this.#poses;
    if (!poses || Number.isNaN(poses[from]!)) return false;
    for (let part = 0; part < 4; part++) into[part] = poses[from + 3 + part]!;
    return true;
  }

  gaze(at: number): EyeGaze | undefined {
    const from = at * gazeFloats;
    const gazes = this.#gazes;
    if (!gazes || Number.isNaN(gazes[from]!)) return undefined;
    return {
      leftYaw: gazes[from]!,
      leftPitch: gazes[from + 1]!,
      rightYaw: gazes[from + 2]!,
      rightPitch: gazes[from + 3]!,
    };
  }

  /** Array by array, so that only one of them is there twice. */
  #resize(room: number): void {
    this.#times = resized(this.#times, room, new Float64Array(room));
    for (const [channel, column] of this.#columns.entries())
      this.#columns[channel] = resized(column, room, new Float32Array(room));
    if (this.#poses) this.#poses = resized(this.#poses, room * poseFloats, this.#missing(room * poseFloats));
    if (this.#gazes) this.#gazes = resized(this.#gazes, room * gazeFloats, this.#missing(room * gazeFloats));
  }

  #missing(length: number): Real {
    const numbers = this.#poseBits === 32 ? new Float32Array(length) : new Float64Array(length);
    return numbers.fill(Number.NaN);
  }
}

/** A frame of a packed face. */
class PackedFrame extends FrameView {
  readonly #face: PackedFace;
  readonly #at: number;

  constructor(face: PackedFace, at: number) {
    super();
    this.#face = face;
    this.#at = at;
  }

  get timeCode(): number {
    return this.#face.time(this.#at);
  }

  get weights(): Float32Array<ArrayBuffer> {
    return this.#face.weights(this.#at);
  }

  get headPose(): HeadPose | undefined {
    return this.#face.pose(this.#at);
  }

  get eyeGaze(): EyeGaze | undefined {
    return this.#face.gaze(this.#at);
  }
}

function resized<Values extends Real>(values: Values, room: number, into: Values): Values {
  if (values.length === room) return values;
  into.set(values.subarray(0, room));
  return into;
}
