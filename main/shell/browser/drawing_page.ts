import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Handlers } from '#contract';
import { createDispatcher, type Dispatcher } from '../../ipc/dispatcher.ts';
import { inheritable } from '../inheritable.ts';
import { createPages, type PagesOptions } from '../pages.ts';
import type { DrawingPage } from '../shell.ts';
import { findChromium, softwareDrawingFlags } from './chromium.ts';
import { openLink } from './open_link.ts';
import { type BrowserServer, serveBrowser } from './server.ts';

export interface DrawingPageOptions {
  filmId: string;
  handlers: Handlers;
  pages: PagesOptions;
  /** For temporary files of the page. Absolute. */
  folder: string;
  randomBytes: (count: number) => Uint8Array;
  report: (where: string, error: unknown) => void;
  environment: NodeJS.ProcessEnv;
}

/**
 * Opens a film's page in a headless Chromium, on a separate server: loopback, one link, and access to this
 * film only.
 *
 * @throws Failure `unsupported` if there is no Chromium
 */
export async function openDrawingPage(options: DrawingPageOptions): Promise<DrawingPage> {
  const { filmId, handlers, pages, folder, randomBytes, report, environment } = options;
  const chromium = findChromium(environment);
  if (!chromium) throw new Failure('unsupported', t('film.no_page'), { hint: t('film.install_chromium') });
  const profileFolder = join(folder, `drawing-${filmId}`);
  let server: BrowserServer | undefined;
  const dispatcher = createDispatcher({
    handlers,
    pageOrigin: () => server?.origin ?? null,
    onDefect: report,
  });
  server = await serveBrowser({
    port: 0,
    randomBytes,
    onDefect: report,
    pages: createPages(onlyForFilms(pages)),
    dispatcher: onlyFilm(dispatcher, filmId),
    uploads: { folder: join(profileFolder, 'uploads'), register: refuse, randomName: () => filmId },
  });
  const link = server.newLink().replace('/#', `/?film=${filmId}#`);
  const ended = Promise.withResolvers<void>();
  let end = (): void => ended.resolve();
  const forget = openLink(link, {
    folder: join(profileFolder, 'link'),
    randomBytes,
    open(file) {
      const profile = join(profileFolder, 'profile');
      mkdirSync(profile, { recursive: true, mode: 0o700 });
      const child = spawn(chromium, [...flags(profile), file], {
        stdio: 'ignore',
        env: inheritable(environment),
      });
      child.on('error', () => ended.resolve());
      child.on('exit', () => ended.resolve());
      end = () => child.kill() || ended.resolve();
    },
  });
  const whole = server;
  return {
    ended: ended.promise,
    async close() {
      end();
      await ended.promise;
      forget();
      await whole.close();
      rmSync(profileFolder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const flags = (profile: string): string[] => [
  '--headless=new',
  `--user-data-dir=${profile}`,
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  ...(process.platform === 'linux' ? softwareDrawingFlags() : []),
  // Chromium has no sandbox for root, as in containers.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** The calls and streams that a film's page may use. */
function onlyFilm(dispatcher: Dispatcher, filmId: string): Dispatcher {
  const refused = {
    code: 'forbidden',
    message: t('ipc.not_own_page'),
    hint: '',
    retryable: false,
  } as const;
  return {
    ...dispatcher,
    call: async () => ({ ok: false, error: refused }),
    refusal: () => refused,
    onEvent: () => () => {},
    openStream(name, options, port, sender) {
      const asked = (options as { filmId?: unknown } | null)?.filmId;
      if (name === 'video.open' && asked === filmId) dispatcher.openStream(name, options, port, sender);
      else port.close();
    },
  };
}

/** The assets that a film's page may load. */
const onlyForFilms = (pages: PagesOptions): PagesOptions => ({
  ...pages,
  asset: async (kind, id) =>
    ['film-source', 'model', 'default-head'].includes(kind) ? pages.asset(kind, id) : null,
});

function refuse(): never {
  throw new Failure('forbidden', t('ipc.not_own_page'));
}
