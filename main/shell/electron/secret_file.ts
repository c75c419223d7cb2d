import { ipcMain } from 'electron';
import Store from 'electron-store';
import type { OpenSecretFile } from '../../connections/vault/secret_file.ts';

/** Opens an encrypted file through electron-store. */
export const openElectronFile: OpenSecretFile = (options) => {
  const file = new Store<Record<string, unknown>>(options);
  // It opens a channel that exposes the data's path to any page. A page must know only what the contract
  // allows.
  ipcMain.removeAllListeners('electron-store-get-data');
  return file;
};
