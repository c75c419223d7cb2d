import type { Hotkey, LiveAction, OpenPage, PopOut } from '#contract';
import type { SystemKeyStore } from '../base/system_key_store.ts';

/**
 * The differences between the entries: windows, dialogs, secret storage, notifications, power. One interface,
 * thin implementations in `electron/`, `browser/` and `none/`. Rooms get a `Shell` from `studio.ts` and never
 * ask which one it is.
 */
export interface Shell {
  readonly kind: 'electron' | 'browser' | 'none';
  /** Version line of the host, for the about box: `Electron 45.4.1`, `Node 24.21.0`. */
  readonly runtime: string;
  /** Newer builds; absent if updates come another way (a clone, an npm package). */
  readonly updater?: Updater | NoUpdates;
  /** True if pages run without the sandbox that isolates a faulty page. */
  readonly unprotected?: boolean;
  /** Folder of settings, keys, database and logs. Absolute, exists. */
  readonly dataFolder: string;
  /** Wraps the 32-byte key of the key store with the system's store; null if there is none. */
  readonly systemSecrets: SystemKeyStore | null;
  /**
   * Starts one of our modules as a separate process, which exits with this one. `flags` are for Node, in
   * addition to this process's own; Electron can't pass flags to a process and ignores them.
   */
  fork(
    entry: string,
    options: { name: string; env: Record<string, string>; flags: readonly string[] },
  ): ChildProcess;
  /** Shows a file in the system's file manager. Rejects if there is none. */
  reveal(path: string): Promise<void>;
  /** Lets the user choose files or a folder; null if dismissed. Rejects if there are no dialogs. */
  choose(options: {
    title: string;
    kind: 'files' | 'folder';
    extensions?: string[];
  }): Promise<string[] | null>;
  /**
   * Asks the user outside the page; the default answer is “no”. Resolves to true only for a yes. Rejects with
   * `unsupported` if no user can answer.
   */
  confirm(question: Question): Promise<boolean>;
  /** Shows a system notification if supported. */
  notify(options: { title: string; body: string }): void;
  /** Progress in the dock or taskbar, 0..1; null removes it. */
  setProgress(fraction: number | null): void;
  /** Keeps the computer from sleeping until the returned function is called. */
  keepAwake(reason: string): () => void;
  /** Gives a secret to the user without passing it through the page: by clipboard or terminal. */
  revealSecret(label: string, secret: string): Promise<'clipboard' | 'terminal'>;
  /** Requests the microphone permission if the system requires it. */
  askForMicrophone(): Promise<'granted' | 'denied'>;
  /** Opens the live head's separate window, or changes the open one. Rejects if windows are not supported. */
  popOut(options: PopOut): Promise<void>;
  /**
   * Registers system-wide keys and releases the previous ones. Returns the actions whose key was refused;
   * rejects if not supported.
   */
  setHotkeys(hotkeys: readonly Hotkey[], onPressed: (action: LiveAction) => void): Promise<LiveAction[]>;
  /** Quits the program in order; absent if the page may not request that. */
  quit?(): void;
  /** The browser pages that have the studio open; null if its page is a desktop window, or there is none. */
  readonly openPages: OpenPages | null;
}

/** A hidden page that draws one film. */
export interface DrawingPage {
  /** Resolves when the page is closed, whatever the cause. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Browser pages that were opened by a link, until their session ends. */
export interface OpenPages {
  list(): OpenPage[];
  /** Ends them at once: closes their connections and refuses new ones. */
  end(ids: readonly string[]): void;
  /** Called with all pages when one was added or removed. */
  onChanged(listener: (pages: OpenPage[]) => void): void;
  /** Prints a link for one more page in the terminal. */
  offerLink(): void;
}

/**
 * Why a studio can't be updated: the build names no address, is not an installed app, or was installed
 * another way.
 */
export type NoUpdates = 'no_address' | 'not_installed' | 'other_means';

/** Finds, downloads and installs newer builds of the studio. Does nothing by itself. */
export interface Updater {
  /** The host name of the update server, for display. */
  readonly address: string;
  /**
   * Returns the newest version above this one; null if there is none. Its text is authentic, because it is
   * signed.
   *
   * @param options.draw - This installation's place in a staged rollout, 0 ≤ draw < 100: a version for 10 %
   * is offered below 10. Compared locally and never sent.
   * @throws Failure `unreachable`, `timeout`, `upstream_refused`, `upstream_broken`, `cancelled`
   */
  check(options: { draw: number; signal: AbortSignal }): Promise<{ version: string } | null>;
  /** Downloads the version that `check` found. `onFraction` gets 0..1. @throws Failure as `check` */
  download(options: { onFraction: (fraction: number) => void; signal: AbortSignal }): Promise<void>;
  /** Installs the download and ends the program. Only after everything is closed. */
  install(options: { restart: boolean }): Promise<void>;
}

/** A yes/no question. */
export interface Question {
  title: string;
  message: string;
  /** Detail text of several lines. */
  detail: string;
  /** Labels of the two answers. */
  yes: string;
  no: string;
}

/** A forked process, implemented by Electron's utilityProcess and Node's child_process. */
export interface ChildProcess {
  readonly pid: number | undefined;
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once. `code` is null if a signal ended it. */
  onExit(listener: (code: number | null) => void): void;
  /** Kills it at once, even if it hangs. */
  kill(): void;
}
