import type { Command } from 'commander';
import type { Profile } from '#contract';
import { Failure } from '../failure.ts';
import type { Studio } from '../studio.ts';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './examples.ts';
import { exitCodes } from './exit_code.ts';

/** `likeness connections list | test | bind`. */
export function addConnectionsCommands(program: Command, context: CommandContext): void {
  const { withStudio, result, success, asJson, fell } = context;
  const connections = withExamples(
    program.command('connections').description('the servers that the studio can talk to'),
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
    connections.command('test <name>').description('try a connection; sends nothing that could be billed'),
    'connections test "Built-in engine"',
    'connections test Cloud --json',
  ).action((name: string) =>
    withStudio(async ({ handlers }) => {
      const profile = await profileNamed(name, handlers);
      const report = await handlers.connections.test({ id: profile.id });
      result(
        report,
        report.steps.flatMap(({ outcome, request, detail, hint }) => [
          `${outcome.padEnd(8)}${request}`,
          `        ${detail}${hint ? ` ${hint}` : ''}`,
        ]),
      );
      if (!report.ok) fell(exitCodes.other);
    }),
  );
  withExamples(
    connections
      .command('bind <name>')
      .description('let the keys that stayed behind go where a connection leads now'),
    'connections bind Cloud                    # asks first',
    'connections bind Cloud --yes --json',
  )
    .option('--yes', 'without a question, for scripts', false)
    .action((name: string, flags: { yes: boolean }) =>
      withStudio(
        async ({ handlers, rebinding }) => {
          // The question would stand among the JSON.
          if (asJson() && !flags.yes)
            throw new Failure('not_allowed', 'With --json nobody is asked.', {
              hint: 'Repeat with --yes to do it.',
            });
          const { id } = await profileNamed(name, handlers);
          const told: string[] = [];
          const unasked = async ({
            message,
            detail,
          }: {
            message: string;
            detail: string;
          }): Promise<boolean> => {
            told.push(message, ...detail.split('\n'));
            if (!asJson()) success(null, told);
            return true;
          };
          const { bound, profile } = await rebinding.rebind(id, ...(flags.yes ? [unasked] : []));
          const value = { id, name: profile.name, bound, told };
          if (bound) return success(value, `The keys of “${profile.name}” go where it leads now.`);
          result(value, 'Nothing was changed.');
          fell(exitCodes.refused);
        },
        { here: true },
      ),
    );
}

/** The connection of a name or id; without one, the default. @throws Failure `not_found` with those there are */
export async function profileNamed(name: string | undefined, handlers: Studio['handlers']): Promise<Profile> {
  const profiles = await handlers.connections.list(undefined);
  const found = profiles.find((profile) =>
    name === undefined
      ? profile.isDefault
      : profile.id === name || profile.name.toLowerCase() === name.toLowerCase(),
  );
  if (found) return found;
  throw new Failure('not_found', `There is no connection called “${name}”.`, {
    hint: `There are: ${profiles.map((profile) => profile.name).join(', ')}.`,
  });
}

const describeProfile = ({ name, isDefault, builtIn, groupAUrl, groupBUrl, secrets }: Profile): string => {
  const behind = Object.values(secrets).some(({ boundElsewhere }) => boundElsewhere !== null);
  const where = builtIn
    ? ' (on this machine)'
    : ` — A: ${groupAUrl || 'not set'}, B: ${groupBUrl || 'not set'}`;
  return `${isDefault ? '* ' : '  '}${name}${where}${behind ? ' — a key stays behind, see “connections bind”' : ''}`;
};
