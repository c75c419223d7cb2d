import type { Hotkey, LiveAction, OpenPage, PopOut } from '#contract';
import type { SystemKeyStore } from '../base/system_key_store.ts';

/**
 * What differs between the entries: windows, dialogs, secret storage, notifications, power. One abstract
 * host, thin implementations in `electron/`, `browser/` and `none/`. Rooms get a `Shell` from `studio.ts` and
 * never ask which one it is.
 */
export interface Shell {
  readonly kind: 'electron' | 'browser' | 'none';
  /** Version line of the host, for the about box: `Electron 45.4.1`, `Node 24.21.0`. */
  readonly runtime: string;
  /** Newer builds; absent where a newer one comes by other means (a clone, a package of Node's). */
  readonly updater?: Updater | NoUpdates;
  /** True where pages run without the sandbox that keeps a faulty page from everything else. */
  readonly unprotected?: boolean;
  /** Folder of settings, keys, database and logs. Absolute, exists. */
  readonly dataFolder: string;
  /**
   * Wraps the 32-byte key that encrypts the key store with the system's own store; null where there is none.
   */
  readonly systemSecrets: SystemKeyStore | null;
  /**
   * Starts a module of ours as a process of its own; it dies with this one. `flags` are Node's, on top of
   * this process's own; Electron has no way to give them to a process, and leaves them out.
   */
  fork(
    entry: string,
    options: { name: string; env: Record<string, string>; flags: readonly string[] },
  ): ChildProcess;
  /** Shows a file in the system's file manager. Rejects where there is none. */
  reveal(path: string): Promise<void>;
  /** Lets the person choose files or a folder; null when dismissed. Rejects where there is no dialog. */
  choose(options: {
    title: string;
    kind: 'files' | 'folder';
    extensions?: string[];
  }): Promise<string[] | null>;
  /**
   * Asks the person past the page, with “no” as what is taken where they don't look: true only for a yes.
   * Rejects with `unsupported` where nobody can be asked.
   */
  confirm(question: Question): Promise<boolean>;
  /** A notification of the system, where there is one; else nothing. */
  notify(options: { title: string; body: string }): void;
  /** Progress in the dock or taskbar, 0..1; null takes it away. */
  setProgress(fraction: number | null): void;
  /** Keeps the machine from sleeping until the returned function is called. */
  keepAwake(reason: string): () => void;
  /** Gives a secret to the person without passing it through the page: clipboard, else the terminal. */
  handOver(label: string, secret: string): Promise<'clipboard' | 'terminal'>;
  /** Asks the system for the microphone where it wants to be asked. */
  askForMicrophone(): Promise<'granted' | 'denied'>;
  /**
   * Opens the live head's own window, or changes the one that is open. Rejects where there are no windows.
   */
  popOut(options: PopOut): Promise<void>;
  /**
   * Takes keys from the whole system in place of those of before. Gives the actions whose key it did not get;
   * rejects where there are no such keys.
   */
  setHotkeys(hotkeys: readonly Hotkey[], onPressed: (action: LiveAction) => void): Promise<LiveAction[]>;
  /** Ends the program, in order; absent where that is not the page's to ask. */
  quit?(): void;
  /**
   * The browser pages that have the studio open; null where its page is a window of its own, or there is
   * none.
   */
  readonly openPages: OpenPages | null;
}

/** A page out of sight that draws one film. */
export interface DrawingPage {
  /** Resolves when the page is gone, whoever ended it. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Pages of browsers that came in by a link, each until it is ended. */
export interface OpenPages {
  list(): OpenPage[];
  /** Ends them at once: what they have open is cut, and nothing opens for them again. */
  end(ids: readonly string[]): void;
  /** Called with all of them when one came or went. */
  onChanged(listener: (pages: OpenPage[]) => void): void;
  /** Shows a link for one more page at the terminal. */
  offerLink(): void;
}

/**
 * Why a studio can't be replaced by a newer build: it names no address, is no installed app, or came another
 * way.
 */
export type NoUpdates = 'no_address' | 'not_installed' | 'other_means';

/** Finds, fetches and installs newer builds of the studio. Does nothing by itself. */
export interface Updater {
  /** Whom it asks, for showing: a host name. */
  readonly address: string;
  /**
   * The newest version that is newer than this one; null where there is none. What it says is ours: it was
   * signed.
   *
   * @param options.draw - This installation's place among all, 0 ≤ draw < 100: a version that is given to 10
   *   of 100 at first is there for those below 10. It is compared here and sent to nobody.
   * @throws Failure `unreachable`, `timeout`, `upstream_refused`, `upstream_broken`, `cancelled`
   */
  check(options: { draw: number; signal: AbortSignal }): Promise<{ version: string } | null>;
  /** Fetches what `check` found, as a whole. `onFraction` gets 0..1. @throws Failure as `check` */
  download(options: { onFraction: (fraction: number) => void; signal: AbortSignal }): Promise<void>;
  /** Installs what was downloaded and ends the program. Only once everything is closed. */
  install(options: { restart: boolean }): Promise<void>;
}

/** A question to be answered with yes or no. */
export interface Question {
  title: string;
  message: string;
  /** Some lines. */
  detail: string;
  /** What the two answers are called. */
  yes: string;
  no: string;
}

/** A forked process, as both Electron's utilityProcess and Node's child_process can be it. */
export interface ChildProcess {
  readonly pid: number | undefined;
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once. `code` is null where a signal ended it. */
  onExit(listener: (code: number | null) => void): void;
  /** Ends it at once, also one that hangs. */
  kill(): void;
}
