import { randomBytes } from 'node:crypto';
import { createPaces } from '@likeness/client/transport/pace.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { type Handlers, serverFeatures } from '#contract';
import { Connections } from '../connections/connections.ts';
import { connectionsCalls } from '../connections/connections_calls.ts';
import { createRebinding, type Rebinding } from '../connections/rebinding.ts';
import { KeyStore } from '../connections/vault/key_store.ts';
import type { OpenSecretFile } from '../connections/vault/secret_file.ts';
import type { EngineSupervisor } from '../engine_host/engine_supervisor.ts';
import type { Shell } from '../shell/shell.ts';
import type { CoreServices } from './compose_core.ts';
import { connectToEngine } from './compose_engine.ts';
import { createMeteredClients, type MeteredClients, type MeteredClientsOptions } from './metered_clients.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** @param openFile - Opens the encrypted store of keys. */
export function openKeys(
  { layout, scrub }: CoreServices,
  shell: Pick<Shell, 'systemSecrets'>,
  openFile: OpenSecretFile,
  environment: Environment,
): Promise<KeyStore> {
  return KeyStore.open({
    folder: layout.keysFolder,
    openFile,
    system: shell.systemSecrets,
    passphrase: environment.LIKENESS_PASSPHRASE,
    clock: Date.now,
    know: scrub.know,
  });
}

/** The studio's connections and their clients; each call is metered. */
export interface Connected {
  connections: Connections;
  rebinding: Rebinding;
  clients: MeteredClients;
  /** Clients of a live session, whose calls are recorded in a separate meter. */
  openLiveClients(meter: MeteredClientsOptions['journal']): MeteredClients;
  calls: Handlers['connections'];
}

export interface ConnectedOptions {
  core: CoreServices;
  shell: Shell;
  keys: KeyStore;
  engine: EngineSupervisor;
  environment: Environment;
  /** Called when connections or keys change. */
  onChanged: () => void;
}

/** @throws Failure `storage` */
export async function composeConnections(options: ConnectedOptions): Promise<Connected> {
  const { core, shell } = options;
  const { journal, scrub, settings, report } = core;
  const connections = await openConnections(options, (profiles) => clients.keepOnly(profiles));
  const rebinding = createRebinding({
    staleKeys: (id) => connections.staleKeys(id),
    bind: (behind) => connections.bind(behind),
    profile: (id) => connections.profile(id),
    confirm: (question) => shell.confirm(question),
    language: () => settings.get().language,
    clock: Date.now,
  });
  const metered: Pick<MeteredClientsOptions, 'resolve' | 'pace' | 'scrub' | 'onTrouble'> = {
    scrub,
    resolve: (id) => connections.resolve(id),
    // One rate limit per profile, shared by the queue and all live sessions.
    pace: createPaces(systemClock),
    onTrouble: (error) => report('journal', error),
  };
  const clients = createMeteredClients({ ...metered, journal: journal.shared });
  clients.keepOnly(await connections.list());
  return {
    connections,
    rebinding,
    clients,
    openLiveClients: (meter) => createMeteredClients({ ...metered, journal: meter, live: true }),
    calls: { ...connectionsCalls(connections, rebinding), test: ({ id }) => testConnection(clients, id) },
  };
}

function openConnections(
  { core, shell, keys, engine, environment, onChanged }: ConnectedOptions,
  keepOnly: MeteredClients['keepOnly'],
): Promise<Connections> {
  const { layout, scrub, log, report, emit } = core;
  return Connections.open({
    database: layout.connectionsDatabase,
    keys,
    async builtIn() {
      const { url, accessToken, apiKey } = await connectToEngine(engine, core);
      return { groupAUrl: url, groupBUrl: url, accessToken, apiKey };
    },
    clock: Date.now,
    randomId: () => randomBytes(9).toString('base64url'),
    // On the desktop, keys come from the vault alone.
    environment: shell.kind === 'electron' ? {} : environment,
    hasPage: shell.kind !== 'none',
    know: scrub.know,
    warn: (text) => log.warn(text),
    onChanged(profiles) {
      keepOnly(profiles);
      onChanged();
      emit('connections', 'changed', profiles);
    },
    onKeyStoreChanged(state) {
      emit('connections', 'keyStoreChanged', state);
      if (state.locked) return;
      onChanged();
      void engine.applyStoredExternal().catch((error: unknown) => report('engine', error));
    },
  });
}

/** Measured latency of each operation of a connection, and the server's announced capabilities. */
async function testConnection(
  clients: MeteredClients,
  profileId: string,
): Promise<Awaited<ReturnType<Handlers['connections']['test']>>> {
  const client = await clients.client(profileId);
  const steps = await client.probe();
  const ok =
    steps.some(({ outcome }) => outcome === 'ok') && steps.every(({ outcome }) => outcome !== 'failed');
  const answered = steps.filter(({ httpStatus }) => httpStatus !== null);
  const latencyMs =
    answered.length > 0 ? Math.min(...answered.map(({ milliseconds }) => milliseconds)) : null;
  const speaks = steps.some(({ operation, outcome }) => operation === 'get_model' && outcome === 'ok');
  const can = speaks ? await client.extensions() : null;
  const features = serverFeatures.filter((feature) => can?.[feature] === true);
  return { profileId, at: Date.now(), ok, latencyMs, features, steps };
}
