import type { SendState, ViewerLook } from '#contract';
import { type Said, say } from '#sentences';
import { oneAtATime } from '../base/in_turn.ts';
import { Failure } from '../failure.ts';
import type { FaceSource } from './face_source.ts';
import type { PacedClock } from './paced_clock.ts';
import { type KeptSending, usualLook } from './send_store.ts';
import { ViewerFeed } from './viewer_feed.ts';
import { serveViewers, type ViewerServer, type ViewerServerOptions } from './viewer_server.ts';

/** Frames a second that viewers get. */
const viewerRate = 60;

export interface ViewersOptions {
  paced: PacedClock;
  pages: ViewerServerOptions['pages'];
  /** Tells this run of the studio from others. */
  run: string;
}

/** Where the page finds the head's file, from itself. */
const shown = ({ modelId, ...look }: ViewerLook) => ({
  ...look,
  headUrl: modelId === null ? 'asset/default-head/default' : `asset/model/${modelId}`,
});

/** The page for browser sources and the socket for scripts: open only while the person wants them. */
export class Viewers {
  readonly #options: ViewersOptions;
  readonly #inTurn = oneAtATime();
  #open: { server: ViewerServer; feed: ViewerFeed; key: string } | null = null;
  #stop: (() => void) | null = null;
  #problem: Said = '';

  constructor(options: ViewersOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Opens, closes or changes what there is, as it is kept. Never throws: `view` tells what went wrong. */
  follow(kept: KeptSending['viewers']): Promise<void> {
    return this.#inTurn(async () => {
      const key = [kept.port, kept.pageToken, kept.socketToken].join();
      if (this.#open && (!kept.on || this.#open.key !== key)) await this.#close();
      this.#problem = '';
      if (!kept.on) return;
      if (this.#open) {
        this.#open.feed.look(shown(kept.look));
        return;
      }
      const feed = new ViewerFeed(this.#options.run, shown(kept.look));
      try {
        const { port, pageToken, socketToken } = kept;
        const { pages } = this.#options;
        const server = await serveViewers({ port, pageToken, socketToken, feed, pages });
        this.#open = { server, feed, key };
      } catch (error) {
        this.#problem = portProblem(error, kept.port);
      }
    });
  }

  /** Shows this face from now on; null: none, and the head rests. */
  show(source: FaceSource | null): void {
    this.#stop?.();
    this.#stop = null;
    if (!source) {
      this.#open?.feed.face(null, 0);
      return;
    }
    if (!this.#open) return;
    const { feed } = this.#open;
    this.#stop = this.#options.paced.every(viewerRate, (at) => feed.face(source.faceAt(at), at));
  }

  view({ on, port, look }: KeptSending['viewers']): SendState['viewers'] {
    return {
      on,
      port,
      look,
      pageUrl: this.#open?.server.pageUrl ?? '',
      socketUrl: this.#open?.server.socketUrl ?? '',
      watching: this.#open?.feed.watching ?? 0,
      problem: this.#problem,
    };
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  async #close(): Promise<void> {
    this.#stop?.();
    this.#stop = null;
    const open = this.#open;
    this.#open = null;
    await open?.server.close();
  }
}

function portProblem(error: unknown, port: number): Said {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return code === 'EADDRINUSE' ? say('send.port_taken', { port }) : say('send.not_heard', { port, code });
}

/**
 * Opens a socket for scripts while something is done with it, without a page.
 *
 * @throws Failure `conflict` where the port can't be had
 */
export async function serveFor(
  options: Pick<ViewerServerOptions, 'port' | 'pageToken' | 'socketToken'> & { run: string },
  work: (feed: ViewerFeed, url: string) => Promise<void>,
): Promise<void> {
  const feed = new ViewerFeed(options.run, shown(usualLook));
  const pages = async (): Promise<Response> => new Response(null, { status: 404 });
  const server = await serveViewers({ ...options, feed, pages }).catch((error: unknown) => {
    throw new Failure('conflict', portProblem(error, options.port), { cause: error });
  });
  try {
    await work(feed, server.socketUrl);
  } finally {
    await server.close();
  }
}
