import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from '@likeness/engine/http/limits.ts';
import type { ModelOrder } from '@likeness/engine/models/model_jobs.ts';
import { plainOrder } from '../../../test/support/model_order.ts';
import { RedisModelJobs } from '../src/queue/redis_model_jobs.ts';
import { openStore } from '../src/store/open_store.ts';

/** A worker's process. */
export interface TestWorker {
  child: ChildProcess;
  output(): string;
  /** Waits for its end. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** A queue and a store that many processes share, as machines would. */
export interface ManyMachines {
  jobs: RedisModelJobs;
  storeFolder: string;
  /** Orders what a text stands for. @returns the model's id */
  submit(photo: string, order?: Partial<ModelOrder>, others?: readonly string[]): Promise<string>;
  startWorker(options?: { cores?: number; lease?: number; env?: Record<string, string> }): TestWorker;
  close(): Promise<void>;
}

export async function openMachines(
  folder: string,
  queue: string,
  limits: Partial<typeof defaultLimits> = {},
  storeAddress?: string,
): Promise<ManyMachines> {
  const storeFolder = join(folder, 'store');
  const incoming = join(folder, 'incoming');
  for (const path of [storeFolder, incoming]) mkdirSync(path, { recursive: true });
  const store = await openStore(storeAddress ?? storeFolder);
  const jobs = await RedisModelJobs.open({
    queue,
    store,
    limits: { ...defaultLimits, waitingModels: 100_000, ...limits },
    log: () => {},
  });
  const workers: TestWorker[] = [];
  return {
    jobs,
    storeFolder,
    async submit(photo, order = {}, others = []) {
      const upload = (text: string): { path: string; sha256: string } => {
        const path = join(incoming, randomBytes(8).toString('hex'));
        writeFileSync(path, text);
        return { path, sha256: createHash('sha256').update(text).digest('hex') };
      };
      const photos = { ...upload(photo), others: others.map(upload) };
      return (await jobs.submit(photos, { ...plainOrder, owner: 'ann', ...order })).id;
    },
    startWorker({ cores = 2, lease = 1000, env = {} } = {}) {
      const entry = join(import.meta.dirname, 'worker/worker_entry.ts');
      const args = [entry, queue, storeAddress ?? storeFolder, String(cores), String(lease)];
      const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
      let said = '';
      child.stdout.on('data', (chunk) => (said += chunk));
      child.stderr.on('data', (chunk) => (said += chunk));
      const worker: TestWorker = {
        child,
        output: () => said,
        async kill(signal) {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const gone = once(child, 'exit');
          child.kill(signal);
          await gone;
        },
      };
      workers.push(worker);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.kill('SIGKILL')));
      await jobs.close();
      store.close();
    },
  };
}
