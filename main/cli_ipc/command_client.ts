import { connect, type Socket } from 'node:net';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readCommandSocket } from './command_socket.ts';
import { createLineReader, parseLine } from './line_reader.ts';
import { type HandedCommand, ipcLimits, ipcProtocol, type ReasonToRefuse, StudioLine } from './messages.ts';

/** A command for a running studio, and where its output goes. */
export interface ForwardOptions {
  folder: string;
  version: string;
  command: HandedCommand;
  /**
   * The environment contains keys that the command would use. They are never sent, so the studio must not run
   * it with other keys.
   */
  hasKeys: boolean;
  out(text: string): void;
  error(text: string): void;
  /** Called when the studio starts to run it. */
  onForwarded(): void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Aborted when nobody reads the output any more. */
  unread?: AbortSignal;
  /** Milliseconds, for tests. */
  limits?: Pick<typeof ipcLimits, 'firstWord' | 'missed'>;
}

export type ForwardResult =
  | { forwarded: true; code: number }
  /** Nothing was done. `why` is empty if no studio is running. */
  | { forwarded: false; why: Message; hint: Message };

const noStudio: ForwardResult = { forwarded: false, why: '', hint: '' };

/**
 * Sends a command to the studio that is running on a data folder, and passes on its output.
 *
 * @throws Failure `unreachable` if the studio exits before the command ends.
 */
export async function forwardCommand(options: ForwardOptions): Promise<ForwardResult> {
  const { folder, version } = options;
  const point = await readCommandSocket(folder);
  if (point === null) return noStudio;
  if (point === 'foreign') {
    return {
      forwarded: false,
      why: t('cli_ipc.foreign', { folder }),
      hint: t('cli_ipc.check_folder'),
    };
  }
  if (point.protocol !== ipcProtocol || point.version !== version)
    return otherVersion(options, point.version);
  const command = JSON.stringify(options.command);
  if (Buffer.byteLength(command) > ipcLimits.command) {
    return {
      forwarded: false,
      why: t('cli_ipc.too_long'),
      hint: t('cli_ipc.name_folder'),
    };
  }
  const socket = await reach(point.address);
  if (!socket) return noStudio;
  if (options.hasKeys) {
    socket.destroy();
    return {
      forwarded: false,
      why: t('cli_ipc.keys'),
      hint: t('cli_ipc.close_or_without'),
    };
  }
  const { protocol, pid, token } = point;
  socket.write(`${JSON.stringify({ protocol, version, token })}\n`);
  return exchange(socket, { pid, command }, options);
}

/** A killed studio leaves its address behind: nothing answers there. */
function reach(address: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const end = (reached: Socket | null): void => {
      clearTimeout(late);
      if (!reached) socket.destroy();
      resolve(reached);
    };
    const late = setTimeout(() => end(null), ipcLimits.firstWord);
    socket.once('connect', () => end(socket));
    socket.on('error', () => end(null));
  });
}

function exchange(
  socket: Socket,
  { pid, command }: { pid: number; command: string },
  options: ForwardOptions,
): Promise<ForwardResult> {
  const { signal, unread, limits = ipcLimits } = options;
  return new Promise((resolve, reject) => {
    let forwarded = false;
    let heardAt = performance.now();
    let missed = false;
    const interrupt = (why: 'person' | 'unread') => (): void =>
      void socket.write(`${JSON.stringify({ kind: 'interrupt', why })}\n`);
    const onSignal = interrupt('person');
    const onUnread = interrupt('unread');
    const end = (settle: () => void): void => {
      clearTimeout(silent);
      clearInterval(watch);
      signal.removeEventListener('abort', onSignal);
      unread?.removeEventListener('abort', onUnread);
      socket.destroy();
      settle();
    };
    const leave = (why: Message, hint: Message): void => end(() => resolve({ forwarded: false, why, hint }));
    const silent = setTimeout(
      () => leave(t('cli_ipc.silent', { pid }), t('cli_ipc.wait_or_close')),
      limits.firstWord,
    );
    const watch = setInterval(() => {
      if (!forwarded || missed || performance.now() - heardAt < limits.missed) return;
      missed = true;
      options.error(
        `The open studio (process ${pid}) has said nothing for ${Math.round(limits.missed / 1000)} s. Ctrl-C twice ends the waiting.\n`,
      );
    }, limits.missed / 10);
    const handleLine = (text: string): void => {
      heardAt = performance.now();
      missed = false;
      const { data: line } = StudioLine.safeParse(parseLine(text));
      if (!line) lost('nonsense');
      else if (line.kind === 'out') options.out(line.text);
      else if (line.kind === 'error') options.error(line.text);
      else if (line.kind === 'end') end(() => resolve({ forwarded: true, code: line.code }));
      else if (line.kind === 'refused') {
        const { why, hint } = refusal(line.reason, options, line.version);
        leave(why, hint);
      } else if (line.kind === 'ready' && !forwarded) {
        forwarded = true;
        clearTimeout(silent);
        socket.write(`${command}\n`);
        options.onForwarded();
        signal.addEventListener('abort', onSignal, { once: true });
        unread?.addEventListener('abort', onUnread, { once: true });
        if (signal.aborted) onSignal();
      }
    };
    const lost = (how: 'nonsense' | 'too_much' | 'closed'): void =>
      end(() => {
        // The studio has not received the command yet, so this equals no running studio.
        if (!forwarded) return resolve(noStudio);
        reject(
          new Failure('unreachable', t('cli_ipc.connection_lost', { how }), {
            hint: t('cli_ipc.repeat'),
            retryable: true,
          }),
        );
      });
    socket.on(
      'data',
      createLineReader(
        () => ipcLimits.line,
        handleLine,
        () => lost('too_much'),
      ),
    );
    socket.on('error', () => {});
    socket.on('close', () => lost('closed'));
  });
}

const otherVersion = ({ version }: ForwardOptions, theirs: string): ForwardResult & { forwarded: false } => ({
  forwarded: false,
  why: t('cli_ipc.version', { theirs, version }),
  hint: t('cli_ipc.other_version'),
});

function refusal(
  reason: ReasonToRefuse,
  options: ForwardOptions,
  theirs: string,
): { why: Message; hint: Message } {
  if (reason === 'version') return otherVersion(options, theirs);
  const again = t('cli_ipc.again');
  const words: Record<Exclude<ReasonToRefuse, 'version'>, { why: Message; hint: Message }> = {
    token: { why: t('cli_ipc.token'), hint: again },
    busy: {
      why: t('cli_ipc.busy', { commands: ipcLimits.commands }),
      hint: t('cli_ipc.wait_for_one'),
    },
    malformed: { why: t('cli_ipc.malformed'), hint: t('cli_ipc.fewer') },
    closing: { why: t('cli_ipc.closing'), hint: again },
  };
  return words[reason];
}
