import { t, translate } from '@likeness/messages';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { DataLayout } from '@likeness/node-kit/storage/data_folder.ts';
import { defaultWorkers } from '@likeness/portrait/worker_count.ts';
import type { Emit, EventPayload, Profile, Settings } from '#contract';
import type { ModelStore } from '../base/model_store.ts';
import { Batch } from '../batch/batch.ts';
import { createImporter } from '../batch/batch_calls.ts';
import type { Importer } from '../batch/photos/importer.ts';
import type { ModelService, PortraitChecker, Profiles } from '../batch/ports.ts';
import type { Shell } from '../shell/shell.ts';

export interface BatchComposition {
  layout: Pick<DataLayout, 'batchFolder'>;
  shell: Pick<Shell, 'keepAwake' | 'setProgress' | 'notify'>;
  /** The current connections. */
  profiles: () => Promise<readonly Profile[]>;
  /** True if it is unknown which connections have keys. */
  keysLocked: () => Promise<boolean>;
  /** Returns the client of a connection. */
  service: (profileId: string) => Promise<ModelService>;
  emit: Emit;
  settings: () => Pick<Settings, 'language' | 'notifications'>;
  report: (where: string, error: unknown) => void;
  /** Concurrent jobs of a profile, if the user set it (`--jobs`). */
  concurrentJobs?: number;
  modelStore: ModelStore;
  /** Called when the queue begins to make heads, and when it stops. */
  onBusy: (busy: boolean) => void;
  /** Checks photos: the engine of this machine. */
  checker: PortraitChecker;
}

/** Opens the queue; `resume` starts it. @throws Failure `storage` */
export function composeBatch(options: BatchComposition): {
  batch: Batch;
  importer: Importer;
  /** Called after the queue is closed: the computer may sleep again. */
  letSleep(): void;
} {
  const { layout, shell, emit, report, modelStore, checker, concurrentJobs } = options;
  const wake = stayAwake(shell);
  const batch = new Batch({
    folder: layout.batchFolder,
    profiles: profilesFor(options),
    modelStore,
    checker,
    clock: systemClock,
    random: Math.random,
    emit: {
      changed: (payload) =>
        emit('batch', 'changed', { ...payload, overview: { ...payload.overview, intake: importer.current } }),
      finished(payload) {
        emit('batch', 'finished', payload);
        notifyFinished(options, payload);
      },
    },
    onBusy(busy) {
      wake.set(busy);
      options.onBusy(busy);
    },
    onFraction: (fraction) => shell.setProgress(fraction),
    onDefect: (error) => report('batch', error),
    ...(concurrentJobs === undefined ? {} : { concurrentJobs: () => concurrentJobs }),
  });
  const importer = createImporter(batch, (intake) => emit('batch', 'intakeChanged', intake));
  return { batch, importer, letSleep: () => wake.set(false) };
}

/** Connections as the queue sees them. */
function profilesFor({
  profiles,
  keysLocked,
  service,
}: Pick<BatchComposition, 'profiles' | 'keysLocked' | 'service'>): Profiles {
  const find = async (id: string): Promise<Profile | undefined> =>
    (await profiles()).find((profile) => profile.id === id);
  return {
    async profile(id) {
      const profile = await find(id);
      if (!profile) {
        throw new Failure('not_found', t('batch.connection_gone'), { hint: t('batch.retry_other') });
      }
      return profile.builtIn ? { ...profile, makers: defaultWorkers() } : profile;
    },
    service,
    async mustHaveKey(id, secret) {
      const profile = await find(id);
      if (!profile || profile.secrets[secret].configured || (await keysLocked())) return;
      const { name } = profile;
      throw new Failure(
        'key_missing',
        secret === 'apiKey' ? t('batch.no_key', { name }) : t('batch.no_token', { name }),
        { hint: t('batch.enter_key'), field: 'profileId' },
      );
    },
  };
}

/** Keeps the computer awake while heads are made. */
function stayAwake(shell: Pick<Shell, 'keepAwake'>): { set(busy: boolean): void } {
  let letSleep: (() => void) | null = null;
  return {
    set(busy) {
      if (busy) letSleep ??= shell.keepAwake('Heads are being made');
      else {
        letSleep?.();
        letSleep = null;
      }
    },
  };
}

function notifyFinished(
  { shell, settings }: Pick<BatchComposition, 'shell' | 'settings'>,
  { done, failed, cancelled, uncertain }: EventPayload<'batch', 'finished'>,
): void {
  const { language, notifications } = settings();
  if (!notifications) return;
  const counts = { done, notDone: failed + cancelled + uncertain };
  shell.notify({
    title: translate(t('batch.finished'), language),
    body: translate(t('batch.finished_counts', counts), language),
  });
}
