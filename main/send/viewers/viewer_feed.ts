import type { FaceState } from '@likeness/proto/live/face_state.ts';
import {
  type FrameMessage,
  type ShownAppearance,
  type ViewerMessage,
  type ViewerState,
  viewerMessageVersion,
} from '@likeness/proto/live/viewer_message.ts';
import { frameMessage } from './face_message.ts';

/** Number of changes kept for viewers that reconnect. */
const keptChanges = 64;
/** Maximum bytes waiting for one viewer: beyond that it gets no more frames until it has read them. */
const maxWaiting = 256 * 1024;
/** Milliseconds for which a viewer may read nothing. */
const patience = 10_000;
const maxViewers = 16;

/** The part of a WebSocket that the feed needs. */
export interface ViewerSocket {
  readonly bufferedAmount: number;
  send(text: string): void;
  terminate(): void;
}

interface Viewer {
  socket: ViewerSocket;
  /** Since when too much is waiting for it; null while it keeps up. */
  behindSince: number | null;
}

/**
 * Sends the face to viewers: first a snapshot with its revision, then changes and frames. A viewer that
 * reconnects names its revision and gets the changes since, or a snapshot if they are no longer kept. A slow
 * viewer loses frames but no changes, and a dead one is closed: neither delays the others.
 */
export class ViewerFeed {
  readonly #run: string;
  readonly #viewers = new Set<Viewer>();
  readonly #changes: { revision: number; text: string }[] = [];
  #revision = 1;
  #state: ViewerState;
  #frame: FrameMessage | null = null;
  /** The newest face's channel names: the list object stays from frame to frame. */
  #names: readonly string[] = [];
  #seq = 0;

  /** @param run distinguishes this run's revisions from an earlier one's */
  constructor(run: string, appearance: ShownAppearance) {
    this.#run = run;
    this.#state = { channels: [], look: appearance, hasFace: false };
  }

  get watching(): number {
    return this.#viewers.size;
  }

  /**
   * @param since the viewer's revision and its run
   * @returns a function that unsubscribes; null if there are too many
   */
  add(socket: ViewerSocket, since: { run: string; revision: number } | null): (() => void) | null {
    if (this.#viewers.size >= maxViewers) return null;
    const viewer: Viewer = { socket, behindSince: null };
    this.#viewers.add(viewer);
    const missed = since?.run === this.#run ? this.#changesAfter(since.revision) : null;
    if (missed) for (const { text } of missed) socket.send(text);
    else socket.send(this.#snapshot());
    if (missed && this.#frame) socket.send(JSON.stringify(this.#frame));
    return () => this.#viewers.delete(viewer);
  }

  setAppearance(appearance: ShownAppearance): void {
    this.#change({ look: appearance });
  }

  /** @param at monotonic milliseconds @param face null: there is none, and the head rests */
  face(face: FaceState | null, at: number): void {
    if (!face) {
      this.#frame = null;
      if (this.#state.hasFace) this.#change({ hasFace: false });
      return;
    }
    const isOther = face.channelNames !== this.#names && face.channelNames.join() !== this.#names.join();
    this.#names = face.channelNames;
    if (isOther || !this.#state.hasFace) {
      this.#change({ ...(isOther && { channels: [...face.channelNames] }), hasFace: true });
    }
    this.#seq += 1;
    this.#frame = frameMessage(face, this.#seq, at / 1000);
    if (this.#viewers.size === 0) return;
    const text = JSON.stringify(this.#frame);
    for (const viewer of this.#viewers) this.#sendFrame(viewer, text, at);
  }

  close(): void {
    for (const { socket } of this.#viewers) socket.terminate();
    this.#viewers.clear();
  }

  #sendFrame(viewer: Viewer, text: string, at: number): void {
    if (viewer.socket.bufferedAmount <= maxWaiting) {
      viewer.behindSince = null;
      viewer.socket.send(text);
      return;
    }
    viewer.behindSince ??= at;
    if (at - viewer.behindSince < patience) return;
    this.#viewers.delete(viewer);
    viewer.socket.terminate();
  }

  #change(changes: Partial<ViewerState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#revision += 1;
    const message: ViewerMessage = { type: 'change', revision: this.#revision, ...changes };
    const text = JSON.stringify(message);
    this.#changes.push({ revision: this.#revision, text });
    if (this.#changes.length > keptChanges) this.#changes.shift();
    for (const { socket } of this.#viewers) socket.send(text);
  }

  #changesAfter(revision: number): { text: string }[] | null {
    if (revision > this.#revision) return null;
    const oldest = this.#changes[0]?.revision ?? this.#revision + 1;
    if (revision < oldest - 1) return null;
    return this.#changes.filter((change) => change.revision > revision);
  }

  #snapshot(): string {
    const message: ViewerMessage = {
      type: 'snapshot',
      version: viewerMessageVersion,
      run: this.#run,
      revision: this.#revision,
      ...this.#state,
      frame: this.#frame,
    };
    return JSON.stringify(message);
  }
}
