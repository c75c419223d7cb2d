import { joinMessages, type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Command } from 'commander';
import type { Profile } from '#contract';
import type { Studio } from '../studio.ts';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './output/examples.ts';
import { exitCodes } from './output/exit_code.ts';
import { mixed } from './output/mixed_text.ts';

/** `likeness connections list | test | bind`. */
export function addConnectionsCommands(program: Command, context: CommandContext): void {
  const { withStudio, result, success, asJson, setExitCode } = context;
  const connections = withExamples(
    program.command('connections').description('list, test and bind connections to servers'),
    'connections list',
    'connections test Cloud',
  );
  withExamples(
    connections.command('list').description('list the connections'),
    'connections list --json',
  ).action(() =>
    withStudio(async ({ handlers }) => {
      const profiles = await handlers.connections.list(undefined);
      result(profiles, profiles.map(describeProfile));
    }),
  );
  withExamples(
    connections.command('test <name>').description('test a connection; sends nothing that could be billed'),
    'connections test "Built-in engine"',
    'connections test Cloud --json',
  ).action((name: string) =>
    withStudio(async ({ handlers }) => {
      const profile = await profileNamed(name, handlers);
      const report = await handlers.connections.test({ id: profile.id });
      result(
        report,
        report.steps.flatMap(({ outcome, request, detail, hint }) => [
          mixed`${t(`cli.step_${outcome}`)}${' '.repeat(8 - outcome.length)}${request}`,
          mixed`        ${joinMessages(detail, hint)}`,
        ]),
      );
      if (!report.ok) setExitCode(exitCodes.other);
    }),
  );
  withExamples(
    connections
      .command('bind <name>')
      .description('bind a connection’s keys to its current server, after its address changed'),
    'connections bind Cloud                    # asks first',
    'connections bind Cloud --yes --json',
  )
    .option('--yes', 'do not ask, for scripts', false)
    .action((name: string, flags: { yes: boolean }) =>
      withStudio(
        async ({ handlers, rebinding }) => {
          // A question would mix with the JSON.
          if (asJson() && !flags.yes)
            throw new Failure('not_allowed', t('cli.json_asks_nobody'), {
              hint: t('cli.repeat_with_yes'),
            });
          const { id } = await profileNamed(name, handlers);
          const notices: string[] = [];
          const unasked = async ({
            message,
            detail,
          }: {
            message: string;
            detail: string;
          }): Promise<boolean> => {
            notices.push(message, ...detail.split('\n'));
            if (!asJson()) success(null, notices);
            return true;
          };
          const { bound, profile } = await rebinding.rebind(id, ...(flags.yes ? [unasked] : []));
          const value = { id, name: profile.name, bound, told: notices };
          if (bound) return success(value, t('cli.keys_go', { name: profile.name }));
          result(value, t('cli.nothing_changed'));
          setExitCode(exitCodes.refused);
        },
        { here: true },
      ),
    );
}

/**
 * Returns the connection with a name or id; without one, the default. @throws Failure `not_found` with the
 * existing ones
 */
export async function profileNamed(name: string | undefined, handlers: Studio['handlers']): Promise<Profile> {
  const profiles = await handlers.connections.list(undefined);
  const found = profiles.find((profile) =>
    name === undefined
      ? profile.isDefault
      : profile.id === name || profile.name.toLowerCase() === name.toLowerCase(),
  );
  if (found) return found;
  throw new Failure('not_found', t('cli.no_connection', { name: name ?? '' }), {
    hint: t('cli.there_are', { names: profiles.map((profile) => profile.name).join(', ') }),
  });
}

const describeProfile = ({ name, isDefault, builtIn, groupAUrl, groupBUrl, secrets }: Profile): Message => {
  const isStale = Object.values(secrets).some(({ boundElsewhere }) => boundElsewhere !== null);
  const line = t('cli.connection_line', {
    name,
    server: builtIn ? 'here' : 'remote',
    addressA: groupAUrl || 'none',
    addressB: groupBUrl || 'none',
    key: isStale ? 'stale' : 'bound',
  });
  return mixed`${isDefault ? '* ' : '  '}${line}`;
};
