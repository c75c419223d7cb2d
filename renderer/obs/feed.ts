/**
 * The studio's messages as a viewer keeps them: a snapshot, then changes and frames (`docs/send.md`). After a
 * broken connection it names the revision that it has and goes on from there.
 */
import type { Framing } from '../speaking/framing.ts';

export interface FrameMessage {
  type: 'frame';
  weights: number[];
  head: { position: [number, number, number]; rotation: [number, number, number, number] };
  eyes: { leftYaw: number; leftPitch: number; rightYaw: number; rightPitch: number };
}

export interface Look {
  /** `none`, or `#rrggbb`. */
  background: string;
  framing: Framing;
  mirror: boolean;
  /** From the page. */
  headUrl: string;
}

interface State {
  channels: string[];
  look: Look;
  hasFace: boolean;
}

type Message =
  | ({ type: 'snapshot'; version: number; run: string; revision: number; frame: FrameMessage | null } & State)
  | ({ type: 'change'; revision: number } & Partial<State>)
  | FrameMessage;

/** Version of the messages that this page understands; a newer studio has a newer page. */
const version = 1;
/** Milliseconds until a broken connection is tried anew: first, and at most. */
const pauses = { first: 250, longest: 4000 };

export interface FeedOptions {
  /** `ws://…/frames`. */
  url: string;
  onLook: (look: Look) => void;
}

export class Feed {
  readonly #options: FeedOptions;
  #state: State | null = null;
  #frame: FrameMessage | null = null;
  #at: { run: string; revision: number } | null = null;
  #pause = pauses.first;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#connect();
  }

  /** The newest frame and its channels; null while there is no face. */
  get face(): { channels: string[]; frame: FrameMessage } | null {
    return this.#state?.hasFace && this.#frame
      ? { channels: this.#state.channels, frame: this.#frame }
      : null;
  }

  #connect(): void {
    const { url } = this.#options;
    const since = this.#at ? `?run=${this.#at.run}&since=${this.#at.revision}` : '';
    const socket = new WebSocket(url + since);
    socket.onopen = () => {
      this.#pause = pauses.first;
    };
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Message);
    socket.onclose = () => {
      this.#frame = null;
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(pauses.longest, this.#pause * 2);
    };
  }

  #take(message: Message): void {
    if (message.type === 'frame') {
      this.#frame = message;
      return;
    }
    if (message.type === 'snapshot') {
      // The studio is another version than this page: its own page is fetched.
      if (message.version !== version) return window.location.reload();
      this.#at = { run: message.run, revision: message.revision };
      this.#frame = message.frame;
      this.#state = message;
      this.#options.onLook(message.look);
      return;
    }
    if (message.type !== 'change' || !this.#state || !this.#at) return;
    this.#at.revision = message.revision;
    this.#state = { ...this.#state, ...message };
    if (message.hasFace === false) this.#frame = null;
    if (message.look) this.#options.onLook(message.look);
  }
}
