import { type Message, t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import type { DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import type { ShownAppearance } from '@likeness/proto/live/viewer_message.ts';
import type { SendState, ViewerAppearance } from '#contract';
import type { FaceSource } from '../face_source.ts';
import type { PacedClock } from '../paced_clock.ts';
import { defaultAppearance, type KeptSending } from '../send_store.ts';
import { ViewerFeed } from './viewer_feed.ts';
import { serveViewers, type ViewerServer, type ViewerServerOptions } from './viewer_server.ts';

/** Frame rate for viewers. */
const viewerRate = 60;

export interface ViewersOptions {
  paced: PacedClock;
  pages: ViewerServerOptions['pages'];
  /** Distinguishes openings of the page: each counts its changes from zero. */
  newRun: () => string;
  heads: ShownHeads;
}

/** Provides the heads to show. */
export interface ShownHeads {
  /** The default head, shown if none is chosen. */
  defaultHead: () => DefaultHead;
  /**
   * Returns the mapping to a head's shapes; null: the default head's. @throws Failure if the head does not
   * exist
   */
  drives: (modelId: string | null) => Promise<readonly ShapeDrive[]>;
}

/** The page for browser sources and the socket for scripts: open only while the user enables them. */
export class Viewers {
  readonly #options: ViewersOptions;
  readonly #inTurn = createMutex();
  #open: { server: ViewerServer; feed: ViewerFeed; key: string } | null = null;
  #stop: (() => void) | null = null;
  #problem: Message = '';

  constructor(options: ViewersOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Opens, closes or changes them to match the settings. Never throws: `view` reports problems. */
  follow(kept: KeptSending['viewers']): Promise<void> {
    return this.#inTurn(async () => {
      const key = [kept.port, kept.pageToken, kept.socketToken].join();
      if (this.#open && (!kept.on || this.#open.key !== key)) await this.#close();
      this.#problem = '';
      if (!kept.on) return;
      if (this.#open) {
        this.#open.feed.setAppearance(await this.#shown(kept.look));
        return;
      }
      const feed = new ViewerFeed(this.#options.newRun(), await this.#shown(kept.look));
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
      appearance: look,
      pageUrl: this.#open?.server.pageUrl ?? '',
      socketUrl: this.#open?.server.socketUrl ?? '',
      watching: this.#open?.feed.watching ?? 0,
      problem: this.#problem,
    };
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  /** The relative URL of the head's file, and the mapping to its shapes. */
  async #shown({ modelId, ...appearance }: ViewerAppearance): Promise<ShownAppearance> {
    const { defaultHead, drives } = this.#options.heads;
    return {
      ...appearance,
      headUrl: modelId === null ? `asset/default-head/${defaultHead()}` : `asset/model/${modelId}`,
      // The page replaces a head that no longer exists.
      drives: await drives(modelId).catch(() => []),
    };
  }

  async #close(): Promise<void> {
    this.#stop?.();
    this.#stop = null;
    const open = this.#open;
    this.#open = null;
    await open?.server.close();
  }
}

function portProblem(error: unknown, port: number): Message {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return code === 'EADDRINUSE' ? t('send.port_taken', { port }) : t('send.not_heard', { port, code });
}

/**
 * Opens a socket for scripts while something is done with it, without a page.
 *
 * @throws Failure `conflict` if the port is unavailable
 */
export async function serveFor(
  options: Pick<ViewerServerOptions, 'port' | 'pageToken' | 'socketToken'> & { run: string },
  work: (feed: ViewerFeed, url: string) => Promise<void>,
): Promise<void> {
  const { modelId: _, ...appearance } = defaultAppearance;
  const feed = new ViewerFeed(options.run, { ...appearance, headUrl: '', drives: [] });
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
