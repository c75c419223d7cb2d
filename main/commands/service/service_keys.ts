import { t } from '@likeness/messages';
import { addKey, revokeKey, rotateKey, type ShownKey } from '@likeness/service/keys/key_administration.ts';
import { readKeys } from '@likeness/service/keys/key_file.ts';
import {
  defaultScopes,
  groups,
  type KeyGroup,
  type Scope,
  type ServiceKey,
  scopes,
} from '@likeness/service/keys/service_key.ts';
import { serviceFolder } from '@likeness/service/service_folder.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { folderOf, withFolder } from './service_folder_option.ts';
import { wholeNumber } from './whole_number.ts';

interface AddFlags {
  folder?: string;
  tenant?: string;
  group: 'A' | 'B' | 'both';
  scope: Scope[];
  priority: keyof typeof priorities;
  expires?: number;
  capSeconds?: number;
  capFrames?: number;
  capModels?: number;
  rate: number;
  burst: number;
  atOnce: number;
}

/** Limits of a key; the default is none. */
const priorities = { high: 1, usual: undefined, low: -1 } as const;

const maxAmount = 1_000_000_000;
const hour = 3600 * 1000;

/** `likeness service keys add | list | revoke | rotate`. */
export function addServiceKeysCommands(service: Command, context: CommandContext): void {
  const keys = withExamples(
    service.command('keys').description('manage the keys of the service'),
    'service keys add ada --cap-models 500',
    'service keys list',
  );
  const amount = wholeNumber(0, maxAmount);
  withExamples(
    withFolder(keys.command('add <name>').description('create a key and show it once')),
    'service keys add ada',
    'service keys add pipeline --tenant game --group B --scope models --priority low --rate 200 --cap-models 200000',
    'service keys add prometheus --group A --scope operator',
  )
    .option(
      '--tenant <name>',
      'tenant of the key; keys of one tenant share their models; default: the key’s name',
    )
    .addOption(
      new Option('--group <group>', 'A: Authorization: Bearer; B: auth_ak; both')
        .choices([...groups, 'both'])
        .default('both'),
    )
    .addOption(
      new Option('--scope <scope...>', 'scopes of the key').choices([...scopes]).default([...defaultScopes]),
    )
    .addOption(
      new Option('--priority <priority>', 'priority of its orders')
        .choices(Object.keys(priorities))
        .default('usual'),
    )
    .option('--expires <date>', 'expiry date, such as 2027-06-30; default: never', dayNumber)
    .option('--cap-seconds <seconds>', 'maximum seconds of audio per month', amount)
    .option('--cap-frames <frames>', 'maximum frames per month', amount)
    .option('--cap-models <models>', 'maximum models per month', amount)
    .option('--rate <requests>', 'average requests per second; 0: no limit', amount, 100)
    .option('--burst <requests>', 'burst: requests that may arrive at once after a pause', amount, 200)
    .option('--at-once <requests>', 'concurrent requests', wholeNumber(1, 100_000), 64)
    .action(async (name: string, flags: AddFlags) => {
      const wanted = {
        name: name.slice(0, 80),
        tenant: (flags.tenant ?? name).slice(0, 64),
        groups: flags.group === 'both' ? [...groups] : [flags.group as KeyGroup],
        scopes: [...new Set(flags.scope)],
        ...(priorities[flags.priority] && { priority: priorities[flags.priority] }),
        expiresAt: flags.expires ?? null,
        caps: {
          seconds: flags.capSeconds ?? null,
          frames: flags.capFrames ?? null,
          models: flags.capModels ?? null,
        },
        rate: { perSecond: flags.rate, burst: flags.burst },
        atOnce: flags.atOnce,
      };
      const { path } = serviceFolder(folderOf(flags, context));
      show(await addKey(path, wanted, Date.now()), context);
    });
  withExamples(
    withFolder(keys.command('list').description('list the keys, without their secrets')),
    'service keys list',
    'service keys list --json',
  ).action(async (flags: { folder?: string }) => {
    const found = await readKeys(folderOf(flags, context));
    context.result(found.map(withoutSecrets), found.length > 0 ? found.map(lineOf) : t('service.no_keys'));
  });
  withExamples(
    withFolder(
      keys.command('revoke <name>').description('revoke a key at once; its running calls are aborted'),
    ),
    'service keys revoke ada',
  ).action(async (name: string, flags: { folder?: string }) => {
    const revoked = await revokeKey(folderOf(flags, context), name, Date.now());
    context.success(withoutSecrets(revoked), t('service.revoked', { name: revoked.name }));
  });
  withExamples(
    withFolder(
      keys.command('rotate <name>').description('replace the secret of a key and show the new one once'),
    ),
    'service keys rotate ada',
    'service keys rotate ada --grace 24',
  )
    .option('--grace <hours>', 'hours for which the old secret still works', wholeNumber(0, 8760), 0)
    .action(async (name: string, flags: { folder?: string; grace: number }) => {
      const grace = flags.grace * hour;
      show(await rotateKey(folderOf(flags, context), name, { grace, now: Date.now() }), context);
    });
}

function show({ key, secret }: ShownKey, { result }: CommandContext): void {
  const how = key.groups.map((group) =>
    group === 'A' ? `  Authorization: Bearer ${secret}` : `  auth_ak: ${secret}`,
  );
  result({ ...withoutSecrets(key), secret }, [t('service.shown_once', { name: key.name }), ...how]);
}

const withoutSecrets = ({ secrets, ...key }: ServiceKey): object => ({ ...key, secrets: secrets.length });

function lineOf(key: ServiceKey): string {
  const { id, name, tenant, groups: opened, scopes: may, priority, expiresAt, revokedAt } = key;
  const state =
    revokedAt !== null
      ? `revoked ${dateOf(revokedAt)}`
      : expiresAt === null
        ? ''
        : `until ${dateOf(expiresAt)}`;
  const importance = priority === undefined ? '' : priority > 0 ? 'high' : 'low';
  const rest = [importance, state].filter((one) => one !== '');
  return [id, name.padEnd(20), tenant.padEnd(16), opened.join('+').padEnd(4), may.join(','), ...rest].join(
    '  ',
  );
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function dayNumber(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('a day such as 2027-06-30');
  return at;
}
