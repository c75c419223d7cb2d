import { randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { defaultLimits, type EngineLimits } from '@likeness/engine/http/limits.ts';
import { createMakers, type MakersOptions } from '@likeness/engine/models/makers.ts';
import { t } from '@likeness/messages';
import { endSignalListener } from '@likeness/node-kit/end_signals.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { createLineLog } from '@likeness/node-kit/storage/log.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { SharedPartsError } from '@likeness/service/open_shared.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { folderOf, withFolder } from './service_folder_option.ts';
import { sharedOf, sharedRefusal, withShared } from './service_worker.ts';
import { wholeNumber } from './whole_number.ts';

interface StartFlags {
  queue?: string;
  store?: string;
  folder?: string;
  host: string;
  port: number;
  name: string[];
  proxy: string[];
  webhookTo: string[];
  webhookKey?: string;
  cores?: number;
  tlsCert?: string;
  tlsKey?: string;
  insecureHttp: boolean;
  pathWord: string;
  keepDays: number;
  drain: number;
  limit: Partial<Record<keyof EngineLimits, number>>;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
}

const day = 24 * 3600 * 1000;

/** `likeness service start`: serves until the process gets a signal to stop. */
export function addServiceStartCommand(
  service: Command,
  context: CommandContext,
  engine: { version: string; engineFiles: MakersOptions | undefined },
): void {
  withExamples(
    withShared(withFolder(service.command('start').description('run the service until it is stopped'))),
    'service start',
    'service start --host 0.0.0.0 --name heads.example.org --tls-cert chain.pem --tls-key key.pem',
    'service start --host 10.0.0.5 --insecure-http --proxy 10.0.0.1 --name heads.example.org',
  )
    .option('--host <address>', 'address of this machine to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0: any free one', wholeNumber(0, 65_535), 8787)
    .option(
      '--name <host>',
      'a host name under which clients reach the service; may be repeated',
      collect,
      [],
    )
    .option(
      '--proxy <address>',
      'a proxy or address range whose X-Forwarded-* headers are trusted; may be repeated',
      collect,
      [],
    )
    .option('--tls-cert <file>', 'certificate chain, PEM; reloaded at SIGHUP')
    .option('--tls-key <file>', 'private key of the certificate, PEM')
    .option(
      '--webhook-to <host>',
      'a private host, address or range to which webhooks may be sent; may be repeated',
      collect,
      [],
    )
    .option(
      '--webhook-key <file>',
      'file with the encryption key for webhook secrets, 32 bytes as base64, the same on all nodes; default: created in the folder',
    )
    .option(
      '--cores <count>',
      'heads to make at the same time; default: leaves one core free',
      wholeNumber(1, 256),
    )
    .option('--insecure-http', 'allow plain HTTP on an address that other machines can reach', false)
    .option('--path-word <word>', 'the neutral word in the paths', 'svc')
    .option('--keep-days <days>', 'days to keep finished models', wholeNumber(1, 3650), 7)
    .option(
      '--drain <seconds>',
      'seconds for running calls to end when the service stops',
      wholeNumber(0, 3600),
      30,
    )
    .option('--limit <name=value>', 'override a limit, see docs/service.md; may be repeated', limit, {})
    .addOption(
      new Option('--log-level <level>', 'log level of standard output; debug: every call')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .action((flags: StartFlags) => start(flags, context, engine));
}

async function start(
  flags: StartFlags,
  context: CommandContext,
  { version, engineFiles }: { version: string; engineFiles: MakersOptions | undefined },
): Promise<void> {
  const { terminal, words, path, takeSignals } = context;
  const printError = (message: Parameters<typeof words>[0]): void => terminal.error(`${words(message)}\n`);
  if (!engineFiles) throw new Failure('unsupported', t('service.own_process'));
  if (Boolean(flags.tlsCert) !== Boolean(flags.tlsKey))
    throw new Failure('invalid_input', t('service.both_tls_files'));
  // A pooled slab of memory would far outlive its small buffers.
  Buffer.poolSize = 0;
  // Loaded only here: no other command needs the engine's server.
  const { startService } = await import('@likeness/service/service.ts');
  const folder = folderOf(flags, context);
  const log = createLineLog({
    scrub: createScrub(),
    level: flags.logLevel,
    write: (line) => terminal.out(line),
  });
  const shared = sharedOf(flags);
  const running = await startService({
    version,
    folder,
    pathWord: flags.pathWord,
    address: {
      host: flags.host,
      port: flags.port,
      names: flags.name,
      proxies: flags.proxy,
      tls:
        flags.tlsCert && flags.tlsKey ? { certFile: path(flags.tlsCert), keyFile: path(flags.tlsKey) } : null,
      insecure: flags.insecureHttp,
    },
    makers: createMakers({ ...engineFiles, ...(flags.cores && { concurrentHeads: flags.cores }) }),
    shared,
    webhooks: {
      allowed: flags.webhookTo,
      keyFile: flags.webhookKey === undefined ? null : path(flags.webhookKey),
    },
    limits: { keep: flags.keepDays * day, ...flags.limit },
    clock: Date.now,
    log,
    run: randomUUID(),
  }).catch(refuseStart(flags));
  const scheme = flags.tlsCert ? 'https' : 'http';
  const host = isIPv6(flags.host) ? `[${flags.host}]` : flags.host;
  printError(t('service.listening', { address: `${scheme}://${host}:${running.port}` }));
  if (running.hasNoKey) {
    printError(t('service.first_key'));
    // In a clone, `likeness` is not on the path.
    const likeness = process.env.npm_lifecycle_event ? 'npm run likeness --' : 'likeness';
    printError(`  ${likeness} service keys add first${flags.folder ? ` --folder ${flags.folder}` : ''}`);
  }
  takeSignals();
  await new Promise<void>((resolve) => {
    const reload = (): void => {
      try {
        running.renewTls();
        log.info('the certificate was read again');
      } catch (error) {
        log.error({ err: error }, 'the certificate can’t be read again; the one before stays');
      }
    };
    const drain = (): void => {
      printError(t('service.draining', { seconds: flags.drain }));
      running.close(flags.drain * 1000).then(resolve, (error: unknown) => {
        log.error({ err: error }, 'the service did not end in order');
        process.exit(1);
      });
    };
    const stop = endSignalListener(drain, () => process.exit(1));
    process.on('SIGHUP', reload);
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

const refuseStart =
  ({ host, port }: StartFlags) =>
  (error: unknown): never => {
    if (error instanceof SharedPartsError) throw sharedRefusal(error.cause);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Failure('conflict', t('service.port_in_use', { host, port }));
    if (code === 'EACCES' && syscall === 'listen')
      throw new Failure('not_allowed', t('service.port_forbidden', { port }));
    if (code === 'EADDRNOTAVAIL')
      throw new Failure('invalid_input', t('service.not_an_address', { host }), {
        hint: t('service.name_address'),
      });
    throw error;
  };

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

function limit(text: string, before: StartFlags['limit']): StartFlags['limit'] {
  const [name = '', value = ''] = text.split('=', 2);
  if (!Object.hasOwn(defaultLimits, name))
    throw new InvalidArgumentError(`a limit is one of ${Object.keys(defaultLimits).join(', ')}`);
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('such as imageBytes=20971520');
  return { ...before, [name]: Number(value) };
}
