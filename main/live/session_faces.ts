import { encodeBareMessage, encodeFrameAt } from '@likeness/proto/face_stream.ts';
import type { FaceStreamFrame, FaceStreamHeader } from '@likeness/proto/face_stream_protocol.ts';
import { encodeFace, type Tier } from '@likeness/proto/live/live_message.ts';
import type { FaceWatcher } from '../base/face_watcher.ts';
import type { CallTimes } from './audio_stream_client.ts';
import type { SessionRecording } from './session_recording.ts';

export interface SessionFacesOptions {
  send: (message: Uint8Array<ArrayBuffer>) => void;
  recording: Pick<SessionRecording, 'expectHeader' | 'face'>;
  watcher?: FaceWatcher | undefined;
}

/** Passes a session's faces to the page and to the take being recorded. */
export class SessionFaces {
  readonly #options: SessionFacesOptions;
  readonly #headers = new Map<Tier, FaceStreamHeader>();
  /** The last header sent for each tier, as text. */
  readonly #shapes = new Map<Tier, string>();
  readonly #newest = new Map<Tier, number>();

  constructor(options: SessionFacesOptions) {
    this.#options = options;
  }

  /** Seconds from the session's first sample to the newest frame; 0 before the first. */
  newest(tier: Tier): number {
    return this.#newest.get(tier) ?? 0;
  }

  /** Each response starts with a header: pass it on only if the frame format changes. */
  header(tier: Tier, header: FaceStreamHeader, times: CallTimes): void {
    this.#headers.set(tier, header);
    const shape = JSON.stringify([header.frameRate, header.channelNames]);
    if (this.#shapes.get(tier) === shape) return;
    this.#shapes.set(tier, shape);
    const message = encodeBareMessage({ ...header, mesh: undefined });
    this.#options.send(encodeFace({ kind: 'header', tier, ...times, message }));
    this.#options.recording.expectHeader(tier);
    this.#options.watcher?.header(tier, header.channelNames);
  }

  /** @param timeCode of the frame in the session, seconds */
  frame(tier: Tier, frame: FaceStreamFrame, timeCode: number, times: CallTimes): void {
    this.#newest.set(tier, timeCode);
    const message = encodeFrameAt(frame, timeCode);
    this.#options.send(encodeFace({ kind: 'frame', tier, ...times, message }));
    this.#options.recording.face(tier, this.#headers.get(tier), frame, timeCode);
    this.#options.watcher?.frame(tier, { ...frame, timeCode });
  }
}
