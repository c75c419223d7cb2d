import type { Command } from 'commander';
import type { Profile } from '#contract';
import { Failure } from '../failure.ts';
import type { Studio } from '../studio.ts';
import type { CommandContext } from './command_context.ts';

/** `likeness connections list | test | bind`. */
export function addConnectionsCommands(program: Command, { withStudio, line, fell }: CommandContext): void {
  const connections = program.command('connections').description('the servers that the studio can talk to');
  connections
    .command('list')
    .description('list the connections')
    .option('--json', 'as JSON', false)
    .action((flags: { json: boolean }) =>
      withStudio(async ({ handlers }) => {
        const profiles = await handlers.connections.list(undefined);
        if (flags.json) return line(JSON.stringify(profiles));
        for (const profile of profiles) line(describeProfile(profile));
      }),
    );
  connections
    .command('test <name>')
    .description('try a connection; sends nothing that could be billed')
    .action((name: string) =>
      withStudio(async ({ handlers }) => {
        const profile = await profileNamed(name, handlers);
        const report = await handlers.connections.test({ id: profile.id });
        for (const { outcome, request, detail, hint } of report.steps) {
          line(`${outcome.padEnd(8)}${request}`);
          line(`        ${detail}${hint ? ` ${hint}` : ''}`);
        }
        if (!report.ok) fell();
      }),
    );
  connections
    .command('bind <name>')
    .description('let the keys that stayed behind go where a connection leads now')
    .option('--yes', 'without a question, for scripts', false)
    .action((name: string, flags: { yes: boolean }) =>
      withStudio(async ({ handlers, rebinding }) => {
        const { id } = await profileNamed(name, handlers);
        const unasked = async ({
          message,
          detail,
        }: {
          message: string;
          detail: string;
        }): Promise<boolean> => {
          for (const text of [message, ...detail.split('\n')]) line(text);
          return true;
        };
        const { bound, profile } = await rebinding.rebind(id, ...(flags.yes ? [unasked] : []));
        if (bound) return line(`The keys of “${profile.name}” go where it leads now.`);
        line('Nothing was changed.');
        fell();
      }),
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
