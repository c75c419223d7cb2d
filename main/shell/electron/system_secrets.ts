import { safeStorage } from 'electron';
import type { SystemKeyStore } from '../../base/system_key_store.ts';

/**
 * Keychain, DPAPI, libsecret or KWallet through `safeStorage`. Only its asynchronous calls: the others go
 * with Electron 46. Call after the app is ready; before, Electron has not chosen a store yet.
 *
 * `basic_text` (Linux without a key store) is reported as it is: it encrypts with a password that is in
 * Chromium's source, and what to do about it is the key store's and the person's decision.
 */
export function systemSecrets(platform: NodeJS.Platform): SystemKeyStore {
  return {
    async backend() {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return 'unknown';
      if (platform === 'darwin') return 'keychain';
      if (platform === 'win32') return 'dpapi';
      return safeStorage.getSelectedStorageBackend();
    },
    encrypt: (plain) => safeStorage.encryptStringAsync(plain),
    decrypt: async (sealed) => (await safeStorage.decryptStringAsync(Buffer.from(sealed))).result,
  };
}
