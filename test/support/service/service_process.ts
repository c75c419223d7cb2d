import { type ChildProcess, spawn } from 'node:child_process';
import { cliEntry, spawnCommand } from '../command_line.ts';

export interface ServiceProcess {
  url: string;
  /** The secret of one key, of both groups. */
  key: string;
  /** All that it has logged: a line for each call. */
  log(): string;
  process: ChildProcess;
}

/** `likeness service start` as a process of its own, with one key, as docs/service.md has it. Needs a build. */
export async function startServiceProcess(folder: string): Promise<ServiceProcess> {
  const service = spawn(
    process.execPath,
    [cliEntry, 'service', 'start', '--folder', folder, '--port', '0', '--log-level', 'debug'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    const take = (text: Buffer): void => {
      log += text;
      const [, address] = /listens on (http:\S+)\.\s/.exec(log) ?? [];
      if (address) resolve(address);
    };
    service.stdout.on('data', take);
    service.stderr.on('data', take);
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${log}`)));
  });
  const added = await spawnCommand(['service', 'keys', 'add', 'ada', '--folder', folder, '--json'], {}).ended;
  const { secret } = JSON.parse(added.out) as { secret: string };
  return { url, key: secret, log: () => log, process: service };
}
