/**
 * The studio's messages as a viewer keeps them: a snapshot, then changes and frames (`docs/send.md`). After a
 * broken connection it names the revision that it has and goes on from there.
 */
import {
  type FrameMessage,
  type ShownAppearance,
  type ViewerMessage,
  type ViewerState,
  viewerMessageVersion,
} from '@likeness/proto/live/viewer_message.ts';

/** Milliseconds until a broken connection is tried anew: first, and at most. */
const pauses = { first: 250, longest: 4000 };

export interface ViewerFeedOptions {
  /** `ws://…/frames`. */
  url: string;
  onAppearance: (appearance: ShownAppearance) => void;
}

export class Feed {
  readonly #options: ViewerFeedOptions;
  #state: ViewerState | null = null;
  #frame: FrameMessage | null = null;
  #at: { run: string; revision: number } | null = null;
  #pause = pauses.first;

  constructor(options: ViewerFeedOptions) {
    this.#options = options;
    this.#connect();
  }

  /** The newest frame and its channels; null while there is no face. */
  get face(): { channels: readonly string[]; frame: FrameMessage } | null {
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
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as ViewerMessage);
    socket.onclose = () => {
      this.#frame = null;
      setTimeout(() => this.#connect(), this.#pause);
      this.#pause = Math.min(pauses.longest, this.#pause * 2);
    };
  }

  #take(message: ViewerMessage): void {
    if (message.type === 'frame') {
      this.#frame = message;
      return;
    }
    if (message.type === 'snapshot') {
      // The studio is another version than this page: its own page is fetched.
      if (message.version !== viewerMessageVersion) {
        window.location.reload();
        return;
      }
      this.#at = { run: message.run, revision: message.revision };
      this.#frame = message.frame;
      this.#state = message;
      this.#options.onAppearance(message.look);
      return;
    }
    if (message.type !== 'change' || !this.#state || !this.#at) return;
    this.#at.revision = message.revision;
    this.#state = { ...this.#state, ...message };
    if (message.hasFace === false) this.#frame = null;
    if (message.look) this.#options.onAppearance(message.look);
  }
}
