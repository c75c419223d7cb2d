import type { ExternalListener, ExternalState } from '@likeness/engine/engine_messages.ts';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { EngineStatus } from '#contract';
import { type EngineRun, host } from './engine_run.ts';

/** The setting that opens the engine to other programs on this machine. The key is a secret. */
export interface ExternalAccess {
  enabled: boolean;
  /** 1,024..65,535. */
  port: number;
  /** Null until it is opened for the first time. */
  key: string | null;
}

export interface ExternalListenerOptions {
  /** The stored setting; null if there is none yet. May reject, for example while keys are locked. */
  loadExternal: () => Promise<ExternalAccess | null>;
  saveExternal: (access: ExternalAccess) => Promise<void>;
  newKey: () => string;
  /** The current process; null if there is none. */
  run: () => EngineRun | null;
  /** Starts the engine, or joins a running start. */
  start: () => Promise<unknown>;
  isClosed: () => boolean;
  onChanged: () => void;
  log: (level: 'warning', message: string) => void;
}

const defaultExternalPort = 17_890;

const noPort: ExternalState = { port: null, problem: '' };

/**
 * Opens the engine to other programs on a fixed port, moves it or closes it, and keeps the setting in step.
 */
export function createExternalListener({
  loadExternal,
  saveExternal,
  newKey,
  run,
  start,
  isClosed,
  onChanged,
  log,
}: ExternalListenerOptions) {
  let access: ExternalAccess = { enabled: false, port: defaultExternalPort, key: null };
  let state: ExternalState = noPort;

  let loading: Promise<void> | null = null;
  /** Reads the stored setting once; again if that failed, because locked keys may be open now. */
  function load(): Promise<void> {
    loading ??= loadExternal().then(
      (stored) => {
        if (stored) access = stored;
        onChanged();
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  }

  const ask = async (wanted: ExternalAccess): Promise<ExternalState> =>
    (await run()?.setExternal(listenerOf(wanted))) ?? noPort;

  /** Changes the engine and the stored setting together, or neither. */
  async function change(to: ExternalAccess): Promise<void> {
    const before = access;
    if (to.enabled) await start();
    if (run() && (to.enabled || before.enabled)) {
      state = await ask(to);
      if (to.enabled && state.problem) {
        const failed = state;
        state = await ask(before);
        onChanged();
        throw portFailure(failed, to.port);
      }
    }
    try {
      await saveExternal(to);
    } catch (error) {
      state = await ask(before);
      onChanged();
      throw error;
    }
    access = to;
    onChanged();
  }

  return {
    /** If the setting can't be read, the studio's own use of the engine continues without it. */
    loadIfPossible: (): Promise<void> =>
      load().catch((error: unknown) =>
        log(
          'warning',
          `the setting for external access could not be read: ${error instanceof Error ? error.message : String(error)}`,
        ),
      ),

    /** Whether other programs wait for the engine: then it starts at once. */
    isWanted: (): boolean => access.enabled && access.key !== null,

    /** The fixed port's settings for a new process. */
    wanted: (): ExternalListener | null => listenerOf(access),

    /** Updates the fixed port's state after a process started or ended. */
    became(now: ExternalState = noPort): void {
      state = now;
    },

    status: (): EngineStatus['external'] => ({
      enabled: access.enabled,
      port: access.port,
      url: state.port === null ? '' : `http://${host}:${state.port}`,
      keyLastFour: access.key?.slice(-4) ?? '',
    }),

    /** Why the port is not open although it should be; otherwise empty. */
    problem: (): Message => (access.enabled ? problemText(state, access.port) : ''),

    async set({ enabled, port }: { enabled: boolean; port: number }): Promise<void> {
      await load();
      await change({ enabled, port, key: access.key ?? (enabled ? newKey() : null) });
    },

    async renewKey(): Promise<void> {
      await load();
      await change({ ...access, key: newKey() });
    },

    async applyStored(): Promise<void> {
      await load();
      if (!access.enabled || !access.key || isClosed()) return;
      await start();
      state = await ask(access);
      onChanged();
    },

    /** The key for other programs, to show to the user. @throws {Failure} `key_missing` */
    async key(): Promise<string> {
      await load();
      if (access.key) return access.key;
      throw new Failure('key_missing', t('engine.no_key'), {
        hint: t('engine.open_first'),
      });
    },
  };
}

const listenerOf = ({ enabled, port, key }: ExternalAccess): ExternalListener | null =>
  enabled && key ? { port, key } : null;

function problemText({ problem }: ExternalState, port: number): Message {
  switch (problem) {
    case 'in_use':
      return t('engine.port_in_use', { port });
    case 'not_allowed':
      return t('engine.port_not_allowed', { port });
    case 'failed':
      return t('engine.port_not_opened', { port });
    default:
      return '';
  }
}

function portFailure(state: ExternalState, port: number): Failure {
  const code = state.problem === 'in_use' ? 'conflict' : 'not_allowed';
  return new Failure(code, problemText(state, port), {
    hint: t('engine.other_port'),
    field: 'port',
  });
}
