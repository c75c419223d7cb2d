import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { createLineLog } from '@likeness/node-kit/storage/log.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { wholeNumber } from './whole_number.ts';

export const withQueue = (command: Command): Command =>
  command.addOption(
    // A password in an argument is visible to everyone who lists processes.
    new Option(
      '--queue <address>',
      'queue shared by several machines, such as redis://queue.example.org:6379',
    ).env('LIKENESS_QUEUE'),
  );

/** The options by which machines share their work; `start` has them too. */
export const withShared = (command: Command): Command =>
  withQueue(command).addOption(
    new Option('--store <place>', 'shared store for photos and heads: a folder, or s3://bucket').env(
      'LIKENESS_STORE',
    ),
  );

/** Checks both options: each one needs the other. @throws Failure `invalid_input` */
export function sharedOf({ queue, store }: { queue?: string; store?: string }): {
  queue: string;
  store: string;
} | null {
  if (queue === undefined && store === undefined) return null;
  if (queue === undefined || store === undefined || !/^rediss?:\/\//.test(queue))
    throw new Failure('invalid_input', t('service.queue_and_store'));
  return { queue, store };
}

/** The desktop package omits these clients, because they are larger than the rest of main. */
const lacksClients = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_MODULE_NOT_FOUND';

/** Reports a queue or store that can't be opened. */
export const sharedRefusal = (error: unknown): Failure =>
  lacksClients(error)
    ? new Failure('unsupported', t('service.no_shared_clients'))
    : new Failure(
        'unreachable',
        t('service.shared_unreachable', { reason: error instanceof Error ? error.message : String(error) }),
      );

/**
 * The script of a worker's process that makes heads: beside the built command line, or the sources in plain
 * Node.
 */
function makerEntry(): string {
  const built = fileURLToPath(new URL('../service-maker.js', import.meta.url));
  const beside = fileURLToPath(new URL('service-maker.js', import.meta.url));
  const source = fileURLToPath(new URL('../../service/worker/portrait_maker.ts', import.meta.url));
  return [beside, built, source].find((file) => existsSync(file)) ?? source;
}

/** `likeness service worker`: makes heads for a queue until the process gets a signal to stop. */
export function addServiceWorkerCommand(service: Command, context: CommandContext): void {
  withExamples(
    withShared(service.command('worker').description('make heads for a queue shared by several machines')),
    'service worker --queue redis://queue.example.org --store s3://heads --cores 4',
  )
    .option(
      '--cores <count>',
      'heads to make at the same time',
      wholeNumber(1, 256),
      Math.max(1, availableParallelism() - 1),
    )
    .option(
      '--drain <seconds>',
      'seconds for running heads to end when the worker stops',
      wholeNumber(0, 3600),
      30,
    )
    .addOption(
      new Option('--log-level <level>', 'log level of standard output')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .action(
      async (flags: {
        queue?: string;
        store?: string;
        cores: number;
        drain: number;
        logLevel: 'debug' | 'info' | 'warn' | 'error';
      }) => {
        const shared = sharedOf(flags);
        if (!shared) throw new Failure('invalid_input', t('service.queue_and_store'));
        const log = createLineLog({
          scrub: createScrub(),
          level: flags.logLevel,
          write: (line) => context.terminal.out(line),
        });
        // Loaded only here: nothing else needs the clients of queue and store.
        const { runWorker } = await import('@likeness/service/worker/run_worker.ts').catch(
          (error: unknown) => {
            throw sharedRefusal(error);
          },
        );
        context.takeSignals();
        await runWorker({
          ...shared,
          cores: flags.cores,
          makerEntry: makerEntry(),
          grace: flags.drain * 1000,
          log: (level, message, error) => log[level === 'warning' ? 'warn' : level]({ err: error }, message),
        }).catch((error: unknown) => {
          throw sharedRefusal(error);
        });
      },
    );
}
