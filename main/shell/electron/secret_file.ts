import { ipcMain } from 'electron';
import Store from 'electron-store';
import type { OpenSecretFile } from '../../connections/vault/secret_file.ts';

/** Opens an encrypted file through electron-store. */
export const openElectronFile: OpenSecretFile = (options) => {
  const file = new Store<Record<string, unknown>>(options);
  // It opens a channel that tells any page where the data lies. A page is told what the contract says.
  ipcMain.removeAllListeners('electron-store-get-data');
  return file;
};
