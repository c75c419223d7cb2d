/** The system's key store (Keychain, DPAPI, libsecret, KWallet), as Electron's `safeStorage` offers it. */
export interface SystemKeyStore {
  /**
   * The store's name in Electron: `keychain`, `dpapi`, `gnome_libsecret`, `kwallet6`, `basic_text`,
   * `unknown`.
   */
  backend(): Promise<string>;
  encrypt(plain: string): Promise<Uint8Array>;
  decrypt(sealed: Uint8Array): Promise<string>;
}
