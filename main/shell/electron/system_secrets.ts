import { safeStorage } from 'electron';
import type { SystemKeyStore } from '../../base/system_key_store.ts';

/**
 * Keychain, DPAPI, libsecret or KWallet through `safeStorage`. Uses only its asynchronous calls, because
 * Electron 46 removes the others. Call after the app is ready; before, Electron has not chosen a store yet.
 *
 * `basic_text` (Linux without a key store) is reported unchanged: it encrypts with a password from Chromium's
 * source. The key store and the user decide how to handle it.
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
