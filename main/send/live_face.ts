import type { FaceStreamFrame } from '@likeness/proto/face_stream_protocol.ts';
import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { LocalRemoteBlend } from '@likeness/proto/live/local_remote_blend.ts';
import { TrackedFace } from '@likeness/proto/live/tracked_face.ts';
import type { FaceWatcher } from '../base/face_watcher.ts';
import type { FaceSource } from './face_source.ts';

/** Milliseconds without a session's frame after which it has no face: its microphone is paused. */
const silence = 2000;

/**
 * The current live face: the microphone session's, with the server's tier blended over the built-in engine's
 * as on the page, and a tracker's over both. With several sessions, the last opened one counts.
 */
export class LiveFace implements FaceSource {
  readonly #elapsed: () => number;
  readonly #onChanged: () => void;
  readonly #sessions: { tiers: LocalRemoteBlend; heardAt: number }[] = [];
  readonly #tracked = new TrackedFace();
  #hadTracker = false;

  /** @param onChanged a face may have appeared or disappeared */
  constructor(elapsed: () => number, onChanged: () => void) {
    this.#elapsed = elapsed;
    this.#onChanged = onChanged;
  }

  /** Whether there may be a face. */
  isOpen(at: number): boolean {
    return this.#sessions.length > 0 || this.#tracked.isThere(at);
  }

  watch(): FaceWatcher {
    const session = { tiers: new LocalRemoteBlend(), heardAt: Number.NEGATIVE_INFINITY };
    this.#sessions.push(session);
    this.#onChanged();
    return {
      header: (tier, names) => session.tiers.begin(tier, names),
      frame: (tier, frame) => {
        const at = this.#elapsed();
        session.heardAt = at;
        session.tiers.push(tier, { frame, askedAt: at, answeredAt: at, arrivedAt: at }, at);
      },
      interrupt: (seconds) => session.tiers.interrupt(seconds, this.#elapsed()),
      close: () => {
        const index = this.#sessions.indexOf(session);
        if (index >= 0) this.#sessions.splice(index, 1);
        this.#onChanged();
      },
    };
  }

  trackerBegins(channelNames: readonly string[]): void {
    this.#tracked.begin(channelNames);
  }

  tracker(frame: FaceStreamFrame): void {
    const at = this.#elapsed();
    this.#tracked.push(frame, at);
    if (this.#hadTracker) return;
    this.#hadTracker = true;
    this.#onChanged();
  }

  faceAt(at: number): FaceState | null {
    const session = this.#sessions.findLast(({ heardAt }) => at - heardAt < silence);
    const voice = session?.tiers.faceAt(at)?.face ?? null;
    const face = this.#tracked.over(voice, at);
    if (!face && this.#hadTracker && !this.#tracked.isThere(at)) {
      this.#hadTracker = false;
      this.#onChanged();
    }
    return face;
  }
}
