import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { SystemKeyStore } from '../../base/system_key_store.ts';
import {
  defaultScryptCost,
  fitsKeyring,
  type Keyring,
  openPassphraseWrap,
  openSystemWrap,
  type ScryptCost,
  type Wrap,
  wrapWithPassphrase,
  wrapWithSystem,
} from './keyring.ts';

export interface KeyProtectionOptions {
  /** The system's key store; null if there is none (`serve`, the command line). */
  system: SystemKeyStore | null;
  /** From the environment. */
  passphrase: string | undefined;
  scryptCost: ScryptCost | undefined;
  randomBytes: (count: number) => Uint8Array;
}

/** Backends that protect nothing, or that are unknown. */
const noProtection = ['basic_text', 'unknown', ''];

const minPassphrase = 8;

/**
 * Protection of the data key: the system's store, a passphrase, or both, and the reason if it can't be
 * opened.
 */
export class KeyProtection {
  readonly #options: KeyProtectionOptions;
  /** Name of the system's store; empty if there is none. */
  readonly backend: string;
  readonly environmentPassphrase: string | undefined;
  /** Wraps that the environment's passphrase did not open; each further attempt would take 0.3 s. */
  readonly #refused = new Set<string>();
  /** Why the system's store is not used although it exists. */
  #systemProblem = '';

  private constructor(options: KeyProtectionOptions, backend: string) {
    this.#options = options;
    this.backend = backend;
    this.environmentPassphrase = options.passphrase || undefined;
  }

  static async create(options: KeyProtectionOptions): Promise<KeyProtection> {
    const backend = options.system ? await options.system.backend().catch(() => 'unknown') : '';
    return new KeyProtection(options, backend);
  }

  /** The system's store exists and encrypts securely. */
  get bySystem(): boolean {
    return this.#options.system !== null && !noProtection.includes(this.backend) && !this.#systemProblem;
  }

  /** Opens the data key with the system's store or the environment's passphrase; null if neither opens it. */
  async open(keyring: Keyring): Promise<Buffer | null> {
    const bySystem = await this.#openBySystem(keyring);
    if (bySystem) return bySystem;
    if (this.environmentPassphrase === undefined || this.#refused.has(keyring.check)) return null;
    const dataKey = await openByPassphrase(keyring, this.environmentPassphrase);
    if (dataKey === null) this.#refused.add(keyring.check);
    return dataKey;
  }

  /** Makes every wrap that is possible here. @throws Failure `locked` if there is no protection */
  async wraps(dataKey: Buffer, store: string, passphrase: string | undefined): Promise<Wrap[]> {
    const wraps: Wrap[] = [];
    const systemWrap = await this.systemWrap(dataKey);
    if (systemWrap) wraps.push(systemWrap);
    if (passphrase !== undefined) wraps.push(await this.passphraseWrap(dataKey, store, passphrase));
    if (wraps.length === 0) throw this.#nothingProtects();
    return wraps;
  }

  /** Null if the system's store does not protect, or does not return the stored value. */
  async systemWrap(dataKey: Buffer): Promise<Wrap | null> {
    const { system } = this.#options;
    if (!system || !this.bySystem) return null;
    try {
      const wrap = await wrapWithSystem(dataKey, system);
      if ((await openSystemWrap(wrap, system)).equals(dataKey)) return wrap;
      this.#systemProblem = 'it gives back something else than it was given';
    } catch (error) {
      this.#systemProblem = error instanceof Error ? error.message : String(error);
    }
    return null;
  }

  passphraseWrap(dataKey: Buffer, store: string, passphrase: string): Promise<Wrap> {
    const { scryptCost = defaultScryptCost, randomBytes } = this.#options;
    return wrapWithPassphrase(dataKey, store, passphrase, scryptCost, randomBytes);
  }

  /** Whether each wrap that can be opened here yields the data key. */
  async opensWith(keyring: Keyring, dataKey: Buffer, passphrase: string | undefined): Promise<boolean> {
    for (const wrap of keyring.wraps) {
      const opened = await this.#openOwnWrap(wrap, keyring.store, passphrase);
      if (opened !== 'not ours' && opened?.equals(dataKey) !== true) return false;
    }
    return true;
  }

  /** The keyring has a wrap of this system, and it yields the data key. */
  async hasSystemWrap(keyring: Keyring, dataKey: Buffer): Promise<boolean> {
    for (const wrap of keyring.wraps) {
      if (wrap.method !== 'system' || wrap.backend !== this.backend) continue;
      const opened = await this.#openOwnWrap(wrap, keyring.store, undefined).catch(() => null);
      if (opened instanceof Buffer && opened.equals(dataKey)) return true;
    }
    return false;
  }

  /** Returns why `open` failed for a keyring. */
  lockedReason(keyring: Keyring): Message {
    if (this.#refused.has(keyring.check)) return t('keys.environment_wrong');
    if (hasPassphrase(keyring)) return t('keys.locked');
    return this.#options.system ? t('keys.system_closed', { backend: this.backend }) : t('keys.desktop_only');
  }

  lockedFailure({ keyring, reason }: { keyring: Keyring; reason: Message }): Failure {
    if (hasPassphrase(keyring)) return new Failure('locked', reason, { hint: t('keys.unlock') });
    return new Failure('locked', reason, {
      hint: this.#options.system ? t('keys.unlock_system') : t('keys.passphrase_on_desktop'),
    });
  }

  async #openBySystem(keyring: Keyring): Promise<Buffer | null> {
    const { system } = this.#options;
    if (!system) return null;
    const wraps = keyring.wraps.filter((wrap) => wrap.method === 'system');
    // This system's wrap first; another system's can't be opened, but an attempt costs nothing.
    wraps.sort((a, b) => Number(b.backend === this.backend) - Number(a.backend === this.backend));
    for (const wrap of wraps) {
      try {
        const dataKey = await openSystemWrap(wrap, system);
        if (fitsKeyring(dataKey, keyring)) return dataKey;
      } catch {
        // Locked, reset, or from another machine; the remaining methods decide which reason to report.
      }
    }
    return null;
  }

  async #openOwnWrap(
    wrap: Wrap,
    store: string,
    passphrase: string | undefined,
  ): Promise<Buffer | null | 'not ours'> {
    if (wrap.method === 'scrypt') {
      return passphrase === undefined ? 'not ours' : openPassphraseWrap(wrap, store, passphrase);
    }
    const { system } = this.#options;
    return system && wrap.backend === this.backend ? openSystemWrap(wrap, system) : 'not ours';
  }

  #nothingProtects(): Failure {
    const why = this.#systemProblem
      ? t('keys.system_unusable', { backend: this.backend, systemProblem: this.#systemProblem })
      : this.backend
        ? t('keys.system_no_protection', { backend: this.backend })
        : t('keys.no_system');
    return new Failure('locked', t('keys.not_kept', { why }), { hint: t('keys.choose_passphrase') });
  }
}

export function hasPassphrase({ wraps }: Keyring): boolean {
  return wraps.some(({ method }) => method === 'scrypt');
}

/** @returns null if the passphrase opens none of its wraps. */
export async function openByPassphrase(keyring: Keyring, passphrase: string): Promise<Buffer | null> {
  for (const wrap of keyring.wraps) {
    if (wrap.method !== 'scrypt') continue;
    const dataKey = await openPassphraseWrap(wrap, keyring.store, passphrase);
    if (dataKey && fitsKeyring(dataKey, keyring)) return dataKey;
  }
  return null;
}

/** @throws Failure `invalid_input` */
export function requireLength(passphrase: string): void {
  if ([...passphrase].length >= minPassphrase) return;
  throw new Failure('invalid_input', t('keys.passphrase_short', { least: minPassphrase }), {
    field: 'passphrase',
    hint: t('keys.few_words'),
  });
}
