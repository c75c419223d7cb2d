import { isIPv6 } from 'node:net';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  defaultPorts,
  type SendKind,
  type SendNames,
  type SendTargetFields,
  sendNames,
  sendRates,
} from '#contract';
import type { Studio } from '../studio.ts';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './output/examples.ts';

interface SendFlags {
  to?: string;
  rate: SendTargetFields['rate'];
  names?: SendNames;
  loop: boolean;
  port?: number;
}

const what = 'a take (its id) or the live face of an open studio (live)';

/** `likeness send vmc | livelink | ws`: sends a take or the live face to another program, frame by frame. */
export function addSendCommands(program: Command, context: CommandContext): void {
  const send = withExamples(
    program
      .command('send')
      .description('send a moving face to other programs: VMC, Live Link Face, WebSocket'),
    'send vmc live',
    'send livelink <take> --to 10.0.0.5:11111 --loop',
  );
  const udp = (kind: SendKind, description: string, ...examples: [string, ...string[]]): Command =>
    withExamples(send.command(`${kind} <what>`).description(description), ...examples)
      .option(
        '--to <host:port>',
        `host and port to send to; default: this machine, port ${defaultPorts[kind]}`,
      )
      .addOption(rateOption())
      .option('--loop', 'repeat the take until Ctrl-C', false);
  udp(
    'vmc',
    `send ${what} over VMC: to VSeeFace, Warudo, Unity and other avatar programs`,
    'send vmc <take> --names arkit-pascal',
    'send vmc live --to 10.0.0.5:39539 --rate 60',
  )
    .addOption(
      new Option('--names <vocabulary>', 'channel names: VRM 1.0, VRM 0.x, ARKit, Perfect Sync')
        .choices([...sendNames])
        .default('vrm'),
    )
    .action((chosen: string, flags: SendFlags) => sendUdp(context, 'vmc', chosen, flags));
  udp(
    'livelink',
    `send ${what} to Unreal, as Epic’s Live Link Face app does`,
    'send livelink <take> --rate 30',
    'send livelink live --to 10.0.0.5:11111',
  ).action((chosen: string, flags: SendFlags) => sendUdp(context, 'livelink', chosen, flags));
  withExamples(
    send
      .command('ws <what>')
      .description(`send ${what} to scripts, as JSON over a WebSocket on this machine; prints its address`),
    'send ws <take> --loop',
    'send ws live --json | jq -r .url',
  )
    .option('--port <port>', 'port to open on 127.0.0.1; default: any free one', portOf)
    .addOption(rateOption())
    .option('--loop', 'repeat the take until Ctrl-C', false)
    .action((chosen: string, flags: SendFlags) => sendToScripts(context, chosen, flags));
}

const rateOption = (): Option =>
  new Option('--rate <frames>', `frames a second: ${sendRates.join(', ')}`).argParser(rateOf).default(60);

function sendUdp(context: CommandContext, kind: SendKind, chosen: string, flags: SendFlags): Promise<void> {
  const { address, port } = addressOf(flags.to, defaultPorts[kind]);
  return context.withStudio(async ({ sending }) => {
    const { loop, rate, names = 'arkit' } = flags;
    const target = { kind, address, port, rate, names };
    const { packets, dropped } = await sending.send(chosen, target, { loop, signal: context.signal });
    context.success(
      { kind, address, port, packets, dropped },
      t('cli.packets_sent', { packets, dropped, address, port }),
    );
  });
}

function sendToScripts(
  context: CommandContext,
  chosen: string,
  { port = 0, rate, loop }: SendFlags,
): Promise<void> {
  return context.withStudio(async ({ sending }: Pick<Studio, 'sending'>) => {
    await sending.serve(chosen, {
      port,
      rate,
      loop,
      signal: context.signal,
      onOpen: (url) => context.result({ url }, url),
    });
  });
}

/**
 * Parses `10.0.0.5:11111`, `studio.local`, `[::1]:39539`.
 *
 * @throws Failure `invalid_input`
 */
function addressOf(to: string | undefined, defaultPort: number): { address: string; port: number } {
  if (to === undefined) return { address: '127.0.0.1', port: defaultPort };
  const [, bracketed, plain, typed] = /^(?:\[([^\]]+)\]|([^:\s]+))(?::(\d+))?$/.exec(to) ?? [];
  const address = isIPv6(to) ? to : (bracketed ?? plain);
  const port = typed === undefined ? defaultPort : Number(typed);
  if (address === undefined || !(port >= 1 && port <= 65_535)) {
    throw new Failure('invalid_input', t('cli.no_place', { to }), { hint: t('cli.place_example') });
  }
  return { address, port };
}

function rateOf(text: string): SendTargetFields['rate'] {
  const rate = sendRates.find((one) => String(one) === text.trim());
  if (rate === undefined) throw new InvalidArgumentError(`one of ${sendRates.join(', ')}`);
  return rate;
}

function portOf(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 1 && port <= 65_535)) throw new InvalidArgumentError('a port, 1 to 65535');
  return port;
}
