import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '@likeness/node-kit/clock.ts';
import type { Handlers } from '#contract';
import type { KeyStore } from '../connections/vault/key_store.ts';
import type { EngineConnection } from '../engine_host/engine_run.ts';
import { EngineSupervisor } from '../engine_host/engine_supervisor.ts';
import { externalAccessIn } from '../engine_host/external_access.ts';
import type { Shell } from '../shell/shell.ts';
import type { CoreServices } from './compose_core.ts';

/**
 * @param entry - The engine's process, `out/main/engine.js`. Absolute.
 * @param onStarted - Called after each start and restart.
 */
export function composeEngine(
  { layout, version, log, emit }: CoreServices,
  shell: Shell,
  keys: KeyStore,
  entry: string,
  onStarted: () => void,
): EngineSupervisor {
  const external = externalAccessIn(join(layout.folder, 'engine.json'), keys);
  return new EngineSupervisor({
    fork: shell.fork,
    entry,
    folder: layout.engineFolder,
    version,
    clock: systemClock,
    randomBytes,
    loadExternal: external.load,
    saveExternal: external.save,
    onChanged: (status) => emit('engine', 'changed', status),
    onStarted,
    log: (level, message) => log[level === 'warning' ? 'warn' : level](message),
  });
}

/** The engine's address with its keys, which must not be stored or logged. */
export async function connectToEngine(
  engine: Pick<EngineSupervisor, 'connect'>,
  { scrub }: Pick<CoreServices, 'scrub'>,
): Promise<EngineConnection> {
  const connection = await engine.connect();
  for (const secret of [connection.accessToken, connection.apiKey]) scrub.know(secret);
  return connection;
}

export const engineCalls = (
  engine: EngineSupervisor,
  shell: Pick<Shell, 'revealSecret'>,
): Handlers['engine'] => ({
  status: () => engine.status(),
  restart: () => engine.restart(),
  setExternal: (wanted) => engine.setExternal(wanted),
  renewExternalKey: () => engine.renewExternalKey(),
  async revealExternalKey() {
    return { to: await shell.revealSecret('Key of the built-in engine', await engine.externalKey()) };
  },
});
