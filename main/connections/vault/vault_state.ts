import type { Message } from '@likeness/messages';
import type { Failure } from '@likeness/node-kit/failure.ts';
import type { KeyStoreState } from '#contract';
import type { KeyProtection } from './key_protection.ts';
import type { Keyring } from './keyring.ts';
import type { SecretMap } from './secret_map.ts';

export interface OpenVault {
  kind: 'open';
  keyring: Keyring;
  dataKey: Buffer;
  secrets: SecretMap;
}

export interface LockedVault {
  kind: 'locked';
  keyring: Keyring;
  reason: Message;
}

/** Unusable, and must not be changed: written by a newer studio, or unreadable. */
export interface UnusableVault {
  kind: 'unusable';
  failure: Failure;
}

/** The keyring was replaced, and then the power failed: the keys still have their `.next` name. */
export interface UnfinishedVault {
  kind: 'unfinished';
  keyring: Keyring;
}

export interface DamagedVault {
  kind: 'damaged';
  part: 'keyring' | 'keys';
  reason: Message;
  keyring: Keyring | null;
}

/** The state of the vault's folder at one moment. */
export type VaultState =
  | { kind: 'empty' }
  | OpenVault
  | LockedVault
  | UnusableVault
  | UnfinishedVault
  | DamagedVault;

export const needsRepair = ({ kind }: VaultState): boolean => kind === 'damaged' || kind === 'unfinished';

/** The keyring in use; null if there is none. */
export function keyringOf(vault: VaultState): Keyring | null {
  return vault.kind === 'open' || vault.kind === 'locked' ? vault.keyring : null;
}

/** Returns the vault's state for the page. @param thisRunOnly - The user chose to keep keys in memory. */
export function stateForPage(
  vault: VaultState,
  protection: KeyProtection,
  thisRunOnly: boolean,
): Omit<KeyStoreState, 'damaged'> {
  const keyring = keyringOf(vault);
  const systemWrap = keyring?.wraps.find((wrap) => wrap.method === 'system');
  const protectedBy = thisRunOnly ? 'this-run-only' : protectionOf(keyring, protection);
  return {
    protection: protectedBy,
    backend: protection.backend || systemWrap?.backend || 'none',
    locked: (vault.kind === 'locked' || vault.kind === 'unusable') && !thisRunOnly,
    needsChoice: protectedBy === 'none' && vault.kind !== 'unusable',
  };
}

function protectionOf(keyring: Keyring | null, protection: KeyProtection): KeyStoreState['protection'] {
  const systemWrap = keyring?.wraps.some(({ method }) => method === 'system') === true;
  if (protection.bySystem && (keyring === null || systemWrap)) return 'system';
  const passphrase = keyring
    ? keyring.wraps.some(({ method }) => method === 'scrypt')
    : protection.environmentPassphrase !== undefined;
  if (passphrase) return 'passphrase';
  return systemWrap ? 'system' : 'none';
}
