import { connect, type Socket } from 'node:net';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readCommandSocket } from './command_socket.ts';
import { createLineReader, parseLine } from './line_reader.ts';
import {
  type HandedCommand,
  handOverLimits,
  handOverProtocol,
  type ReasonToRefuse,
  StudioLine,
} from './messages.ts';

/** A command for a running studio, and where its output goes. */
export interface HandOverOptions {
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
  onHanded(): void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Aborted when nobody reads the output any more. */
  unread?: AbortSignal;
  /** Milliseconds, for tests. */
  limits?: Pick<typeof handOverLimits, 'firstWord' | 'missed'>;
}

export type HandOver =
  | { handed: true; code: number }
  /** Nothing was done. `why` is empty if no studio is running. */
  | { handed: false; why: Message; hint: Message };

const noStudio: HandOver = { handed: false, why: '', hint: '' };

/**
 * Sends a command to the studio that is running on a data folder, and passes on its output.
 *
 * @throws Failure `unreachable` if the studio exits before the command ends.
 */
export async function handOver(options: HandOverOptions): Promise<HandOver> {
  const { folder, version } = options;
  const point = await readCommandSocket(folder);
  if (point === null) return noStudio;
  if (point === 'foreign') {
    return {
      handed: false,
      why: t('hand_over.foreign', { folder }),
      hint: t('hand_over.look_who'),
    };
  }
  if (point.protocol !== handOverProtocol || point.version !== version)
    return otherVersion(options, point.version);
  const command = JSON.stringify(options.command);
  if (Buffer.byteLength(command) > handOverLimits.command) {
    return {
      handed: false,
      why: t('hand_over.too_long'),
      hint: t('hand_over.name_folder'),
    };
  }
  const socket = await reach(point.address);
  if (!socket) return noStudio;
  if (options.hasKeys) {
    socket.destroy();
    return {
      handed: false,
      why: t('hand_over.keys'),
      hint: t('hand_over.close_or_without'),
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
    const late = setTimeout(() => end(null), handOverLimits.firstWord);
    socket.once('connect', () => end(socket));
    socket.on('error', () => end(null));
  });
}

function exchange(
  socket: Socket,
  { pid, command }: { pid: number; command: string },
  options: HandOverOptions,
): Promise<HandOver> {
  const { signal, unread, limits = handOverLimits } = options;
  return new Promise((resolve, reject) => {
    let handed = false;
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
    const leave = (why: Message, hint: Message): void => end(() => resolve({ handed: false, why, hint }));
    const silent = setTimeout(
      () => leave(t('hand_over.silent', { pid }), t('hand_over.wait_or_close')),
      limits.firstWord,
    );
    const watch = setInterval(() => {
      if (!handed || missed || performance.now() - heardAt < limits.missed) return;
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
      else if (line.kind === 'end') end(() => resolve({ handed: true, code: line.code }));
      else if (line.kind === 'refused') {
        const { why, hint } = refusal(line.reason, options, line.version);
        leave(why, hint);
      } else if (line.kind === 'ready' && !handed) {
        handed = true;
        clearTimeout(silent);
        socket.write(`${command}\n`);
        options.onHanded();
        signal.addEventListener('abort', onSignal, { once: true });
        unread?.addEventListener('abort', onUnread, { once: true });
        if (signal.aborted) onSignal();
      }
    };
    const lost = (how: 'nonsense' | 'too_much' | 'closed'): void =>
      end(() => {
        // The studio has not received the command yet, so this equals no running studio.
        if (!handed) return resolve(noStudio);
        reject(
          new Failure('unreachable', t('hand_over.went', { how }), {
            hint: t('hand_over.repeat'),
            retryable: true,
          }),
        );
      });
    socket.on(
      'data',
      createLineReader(
        () => handOverLimits.line,
        handleLine,
        () => lost('too_much'),
      ),
    );
    socket.on('error', () => {});
    socket.on('close', () => lost('closed'));
  });
}

const otherVersion = ({ version }: HandOverOptions, theirs: string): HandOver & { handed: false } => ({
  handed: false,
  why: t('hand_over.version', { theirs, version }),
  hint: t('hand_over.other_version'),
});

function refusal(
  reason: ReasonToRefuse,
  options: HandOverOptions,
  theirs: string,
): { why: Message; hint: Message } {
  if (reason === 'version') return otherVersion(options, theirs);
  const again = t('hand_over.again');
  const words: Record<Exclude<ReasonToRefuse, 'version'>, { why: Message; hint: Message }> = {
    token: { why: t('hand_over.token'), hint: again },
    busy: {
      why: t('hand_over.busy', { commands: handOverLimits.commands }),
      hint: t('hand_over.wait_one'),
    },
    malformed: { why: t('hand_over.malformed'), hint: t('hand_over.fewer') },
    closing: { why: t('hand_over.closing'), hint: again },
  };
  return words[reason];
}
