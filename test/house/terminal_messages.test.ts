/**
 * The page is built without the messages of the command line and the service (electron.vite.config.ts). Its own texts
 * have other tables, whose keys may be the same.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandsMessages } from '../../packages/messages/src/commands.ts';
import { serviceMessages } from '../../packages/messages/src/service.ts';

const root = join(import.meta.dirname, '../..');
const others = '{proto,preload,main/!(commands|cli_ipc),packages/!(messages|service)/{src,*.ts}}';

it('messages that only a terminal shows are used by the command line and the service alone', () => {
  const keys = Object.keys({ ...commandsMessages, ...serviceMessages });
  const files = globSync(`${others}/**/*.ts`, { cwd: root });
  expect(files.length).toBeGreaterThan(500);
  const elsewhere = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return /'(cli|receipt|service|settings_file)\./.test(source)
      ? keys.filter((key) => source.includes(`'${key}'`))
      : [];
  });
  expect(elsewhere).toEqual([]);
});
