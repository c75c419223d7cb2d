import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { SecretName } from '#contract';
import type { EnvironmentKey } from './environment_keys.ts';
import { type Destination, mayGo } from './key_binding.ts';

/**
 * How an environment key stands to a connection that it fits.
 * - `given`: it goes where the connection leads.
 * - `free`: it was never used; the first use binds it.
 * - `withheld`: it is bound elsewhere, or the connection is one that a page made for it.
 */
export interface Standing {
  state: 'given' | 'free' | 'withheld';
  /** What it is bound to; null where to nothing. */
  bound: Destination | null;
}

/**
 * Where the keys of environment variables go: to what the first connection led to that used them, or to the
 * server that the variable `…_URL` beside them states. Remembered by the variable's name (as a hash); never
 * the key.
 */
export class EnvironmentBindings {
  readonly #db: DatabaseSync;
  readonly #hasPage: boolean;

  /**
   * @param hasPage - False on the command line: who names a connection there, with the key beside it, means
   *   it.
   */
  constructor(db: DatabaseSync, hasPage: boolean) {
    this.#db = db;
    this.#hasPage = hasPage;
  }

  standing(key: EnvironmentKey, secret: SecretName, profileId: string, to: Destination): Standing {
    const { variable, stated } = key;
    // It is sent nowhere: there is nothing to bind, and nothing to withhold.
    if (to.origin === '') return { state: 'given', bound: null };
    if (stated !== null && secret !== 'proxyPassword') {
      const bound = { origin: stated.join(' '), proxy: '', trust: '' };
      if (isStatedOtherwise(key, secret, to)) return { state: 'withheld', bound };
      // The server that the person named, with nobody between: whoever made the connection, it goes nowhere
      // else.
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

  /** From now on the variable's key goes there and nowhere else. */
  bind(variable: string, profileId: string, to: Destination): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO environmentBindings VALUES (?, ?, ?, ?)')
      .run(hashOf(variable), to.origin, to.proxy, to.trust);
    this.#db
      .prepare('DELETE FROM environmentQuestions WHERE variable = ? AND profileId = ?')
      .run(hashOf(variable), profileId);
  }

  /**
   * The connection fits the variable by a page's doing: no first use of it binds the key, not after a start
   * either.
   */
  ask(variable: string, profileId: string): void {
    this.#db
      .prepare('INSERT OR IGNORE INTO environmentQuestions VALUES (?, ?)')
      .run(hashOf(variable), profileId);
  }

  /** Of a connection that is deleted. */
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
 * The variable `…_URL` beside the key names another server. What it says of servers says nothing of a proxy's
 * password.
 */
export function isStatedOtherwise({ stated }: EnvironmentKey, secret: SecretName, to: Destination): boolean {
  if (stated === null || secret === 'proxyPassword') return false;
  return !to.origin.split(' ').every((origin) => stated.includes(origin));
}

const hashOf = (variable: string): string => createHash('sha256').update(variable).digest('hex');
