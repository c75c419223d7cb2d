import type { Handlers, ProfileDraft } from '#contract';
import type { Connections } from './connections.ts';
import type { Rebinding } from './rebinding.ts';

/** The room's side of the contract, except `test`, which needs the client of `upstream`. */
export function connectionsCalls(
  connections: Connections,
  rebinding: Rebinding,
): Omit<Handlers['connections'], 'test'> {
  return {
    list: () => connections.list(),
    details: ({ id }) => connections.details(id),
    create: (draft) => connections.create(draft),
    update: ({ id, changes }) => connections.update(id, changes as Partial<ProfileDraft>),
    duplicate: ({ id }) => connections.duplicate(id),
    remove: async ({ id }) => {
      await connections.remove(id);
      return undefined;
    },
    setDefault: ({ id }) => connections.setDefault(id),
    exportProfiles: ({ ids }) => connections.exportProfiles(ids),
    importProfiles: ({ text }) => connections.importProfiles(text),
    setSecret: ({ id, secret, value }) => connections.setSecret(id, secret, value),
    clearSecret: ({ id, secret }) => connections.clearSecret(id, secret),
    rebind: ({ id }) => rebinding.rebind(id),
    keyStore: () => connections.keyStore(),
    unlock: ({ passphrase }) => connections.changeKeyStore((keys) => keys.unlock(passphrase)),
    protectWithPassphrase: ({ passphrase }) =>
      connections.changeKeyStore((keys) => keys.protectWithPassphrase(passphrase)),
    keepForThisRun: () => connections.changeKeyStore((keys) => keys.keepForThisRun()),
    startOver: () => connections.changeKeyStore((keys) => keys.startOver()),
  };
}
