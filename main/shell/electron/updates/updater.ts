import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { Session } from 'electron';
import type { AppUpdater, ProgressInfo, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import type { Updater } from '../../shell.ts';
import { allowUpdatesOnly } from '../network.ts';
import { type Announcement, readFeed } from './signed_feed.ts';
import type { UpdateSource } from './update_source.ts';

export interface ElectronUpdaterOptions {
  source: UpdateSource;
  platform: NodeJS.Platform;
  arch: string;
  /** The session for electron-updater's downloads: in memory, without a cache, used by nothing else. */
  session: Session;
  /** Restarts this program after it has exited. */
  relaunch: () => void;
  /** Time for the announcement and its signature together. Default: 20 s. */
  feedTimeoutMs?: number;
  /** Milliseconds without a byte after which a download is aborted. Default: 30 s. */
  downloadSilenceMs?: number;
}

/**
 * Updates with electron-updater, which knows how to replace each system's installers. It gets the
 * announcement from us, signed (`signed_feed.ts`); a download must have the length and the SHA-512 of the
 * signed announcement. Loaded at the first check, so that a start without one costs nothing.
 */
export function createElectronUpdater(options: ElectronUpdaterOptions): Updater {
  const { source, platform, arch, session, feedTimeoutMs, downloadSilenceMs = 30_000 } = options;
  /** Result of the last check, which names the file to download. */
  let announced: Announcement | null = null;
  /** Path of the downloaded installer. */
  let downloaded = '';
  let questionEnds = new AbortController().signal;
  let onProgress: (progress: ProgressInfo) => void = () => {};

  allowUpdatesOnly(session, source.base, (name) => announced?.files.find(({ url }) => url === name)?.size);
  // Chromium's default user agent reveals the versions of studio and system.
  session.setUserAgent('LikenessStudio');

  let loading: Promise<LoadedUpdater> | undefined;
  const load = async (): Promise<LoadedUpdater> => {
    const { AppImageUpdater, CancellationToken, DebUpdater, MacUpdater, NsisUpdater, Provider } = (
      await import('electron-updater')
    ).default;
    const kinds = { appimage: AppImageUpdater, deb: DebUpdater, mac: MacUpdater, nsis: NsisUpdater };
    const autoUpdater: AppUpdater = new kinds[source.installed]();
    autoUpdater.autoDownload = false;
    autoUpdater.autoInstallOnAppQuit = false;
    autoUpdater.allowDowngrade = false;
    autoUpdater.allowPrerelease = false;
    autoUpdater.disableWebInstaller = true;
    // Differential downloads follow a block map that nobody signed.
    autoUpdater.disableDifferentialDownload = true;
    autoUpdater.logger = null;
    autoUpdater.requestHeaders = { 'User-Agent': 'LikenessStudio' };
    // By default it creates an id for this installation, stores it, and sends it with each check.
    Object.assign(autoUpdater, { stagingUserIdPromise: { value: Promise.resolve('') } });
    autoUpdater.on('download-progress', (progress) => onProgress(progress));

    class SignedProvider extends Provider<UpdateInfo> {
      constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
        super(runtime);
      }
      async getLatestVersion(): Promise<UpdateInfo> {
        announced = null;
        const fetch = (address: string, init: RequestInit): Promise<Response> => session.fetch(address, init);
        announced = await readFeed({
          source,
          platform,
          arch,
          fetch,
          signal: questionEnds,
          timeoutMs: feedTimeoutMs,
        });
        return announced;
      }
      resolveFiles({ files }: UpdateInfo): ResolvedUpdateFileInfo[] {
        return files.map((info) => ({ url: new URL(info.url, source.base), info }));
      }
    }
    autoUpdater.setFeedURL({ provider: 'custom', updateProvider: SignedProvider });
    return { autoUpdater, CancellationToken };
  };
  const loaded = (): Promise<LoadedUpdater> => (loading ??= load());

  return {
    address: source.base.host,

    async check({ draw, signal }) {
      const { autoUpdater } = await loaded();
      questionEnds = signal;
      autoUpdater.isUserWithinRollout = ({ stagingPercentage }) => draw < (stagingPercentage ?? 100);
      const answer = await autoUpdater.checkForUpdates();
      return answer?.isUpdateAvailable ? { version: answer.updateInfo.version } : null;
    },

    async download({ onFraction, signal }) {
      const { autoUpdater, CancellationToken } = await loaded();
      const token = new CancellationToken();
      const stop = (): void => token.cancel();
      signal.addEventListener('abort', stop, { once: true });
      // Electron's requests have no timeout.
      let silent = false;
      const giveUp = (): void => {
        silent = true;
        stop();
      };
      let quiet = setTimeout(giveUp, downloadSilenceMs);
      onProgress = ({ percent }) => {
        clearTimeout(quiet);
        quiet = setTimeout(giveUp, downloadSilenceMs);
        onFraction(Math.min(1, percent / 100));
      };
      try {
        signal.throwIfAborted();
        [downloaded = ''] = await autoUpdater.downloadUpdate(token);
      } catch (error) {
        if (signal.aborted) throw new Failure('cancelled', t('updates.download_stopped'));
        throw silent ? tooQuiet(downloadSilenceMs) : downloadFailure(error);
      } finally {
        clearTimeout(quiet);
        signal.removeEventListener('abort', stop);
        onProgress = () => {};
      }
    },

    async install({ restart }) {
      const { autoUpdater } = await loaded();
      autoUpdater.autoRunAppAfterInstall = restart;
      // If the installer can't be started (no password was entered), the old version returns.
      autoUpdater.once('error', () => restart && options.relaunch());
      // Days may lie between download and installation, in a folder that other programs may write.
      const sha512 = await hashOf(downloaded).catch(() => '');
      if (!announced?.files.some((file) => file.sha512 === sha512)) {
        if (restart) options.relaunch();
        throw otherFile();
      }
      // Silent: the user has already agreed. So the Windows installer asks nothing either.
      autoUpdater.quitAndInstall(true, restart);
      // Squirrel takes over the file first, and then ends the program itself.
      if (platform === 'darwin') await untilFailed(autoUpdater);
    },
  };
}

interface LoadedUpdater {
  autoUpdater: AppUpdater;
  CancellationToken: typeof import('electron-updater').CancellationToken;
}

/** Milliseconds that Squirrel may take before the program exits without it. */
const squirrelPatience = 120_000;
const untilFailed = (autoUpdater: AppUpdater): Promise<void> =>
  new Promise((resolve) => {
    autoUpdater.once('error', () => resolve());
    setTimeout(resolve, squirrelPatience).unref();
  });

/** SHA-512 of a file, in base64. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  return hash.digest('base64');
}

const otherFile = (): Failure =>
  new Failure('upstream_broken', t('updates.other_file'), { hint: t('updates.not_installed') });

const tooQuiet = (silenceMs: number): Failure =>
  new Failure('timeout', t('updates.stood_still', { silence: silenceMs / 1000 }), {
    hint: t('updates.download_later'),
    retryable: true,
  });

function downloadFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code, message, path } = error as NodeJS.ErrnoException;
  const stored = storageFailure(error, path ?? 'update');
  if (stored instanceof Failure) return stored;
  if (code === 'ERR_CHECKSUM_MISMATCH') return otherFile();
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE') {
    return new Failure('upstream_broken', t('updates.installer_not_signed'), {
      hint: t('updates.not_installed_tell'),
    });
  }
  return new Failure('unreachable', t('updates.not_downloaded', { message }), {
    hint: t('updates.download_later'),
    retryable: true,
    cause: error,
  });
}
