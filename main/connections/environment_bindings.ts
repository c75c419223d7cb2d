import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { SecretName } from '#contract';
import type { EnvironmentKey } from './environment_keys.ts';
import { type Destination, mayGo } from './key_binding.ts';

/**
 * State of an environment key for a matching connection.
 * - `given`: it is sent to the connection's server.
 * - `free`: it was never used; the first use binds it.
 * - `withheld`: it is bound elsewhere, or a page made the connection for it.
 */
export interface BindingStatus {
  state: 'given' | 'free' | 'withheld';
  /** The server that it is bound to; null if none. */
  bound: Destination | null;
}

/**
 * The servers to which keys from environment variables are bound: that of the first connection that used the
 * key, or the one given in the variable `…_URL`. Stored by the variable's name (as a hash), never with the
 * key.
 */
export class EnvironmentBindings {
  readonly #db: DatabaseSync;
  readonly #hasPage: boolean;

  /** @param hasPage - False on the command line, where the user names the connection and the key. */
  constructor(db: DatabaseSync, hasPage: boolean) {
    this.#db = db;
    this.#hasPage = hasPage;
  }

  statusOf(key: EnvironmentKey, secret: SecretName, profileId: string, to: Destination): BindingStatus {
    const { variable, stated } = key;
    // The connection has no server: there is nothing to bind and nothing to withhold.
    if (to.origin === '') return { state: 'given', bound: null };
    if (stated !== null && secret !== 'proxyPassword') {
      const bound = { origin: stated.join(' '), proxy: '', trust: '' };
      if (isStatedOtherwise(key, secret, to)) return { state: 'withheld', bound };
      // The user named the server directly, so the key goes nowhere else, whoever made the connection.
      if (to.proxy === '' && to.trust === '') return { state: 'given', bound };
    }
    const row = this.#db
      .prepare('SELECT origin, proxy, trust FROM environmentBindings WHERE variable = ?')
      .get(hashOf(variable));
    if (!row) {
      const asked = this.#hasPage && this.#isAsked(variable, profileId);
      return { state: asked ? 'withheld' : 'free', bound: null };
    }
    const bound = { origin: String(row.origin), proxy: String(row.proxy), trust: String(row.trust) };
    return { state: mayGo(bound, to) ? 'given' : 'withheld', bound };
  }

  /** Binds the variable's key to this server. */
  bind(variable: string, profileId: string, to: Destination): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO environmentBindings VALUES (?, ?, ?, ?)')
      .run(hashOf(variable), to.origin, to.proxy, to.trust);
    this.#db
      .prepare('DELETE FROM environmentQuestions WHERE variable = ? AND profileId = ?')
      .run(hashOf(variable), profileId);
  }

  /**
   * A page made the connection match the variable: its first use never binds the key, not even after a
   * restart.
   */
  ask(variable: string, profileId: string): void {
    this.#db
      .prepare('INSERT OR IGNORE INTO environmentQuestions VALUES (?, ?)')
      .run(hashOf(variable), profileId);
  }

  /** Removes the binding of a deleted connection. */
  forget(profileId: string): void {
    this.#db.prepare('DELETE FROM environmentQuestions WHERE profileId = ?').run(profileId);
  }

  #isAsked(variable: string, profileId: string): boolean {
    return (
      this.#db
        .prepare('SELECT 1 FROM environmentQuestions WHERE variable = ? AND profileId = ?')
        .get(hashOf(variable), profileId) !== undefined
    );
  }
}

/**
 * The variable `…_URL` names another server. It doesn't apply to a proxy's password.
 */
export function isStatedOtherwise({ stated }: EnvironmentKey, secret: SecretName, to: Destination): boolean {
  if (stated === null || secret === 'proxyPassword') return false;
  return !to.origin.split(' ').every((origin) => stated.includes(origin));
}

const hashOf = (variable: string): string => createHash('sha256').update(variable).digest('hex');
