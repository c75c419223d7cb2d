/** `node scripts/imports/check.ts`: holds every source file to the table of rooms, and says what breaks it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSource, readModules } from './modules.ts';
import { known, reserved, rooms } from './rooms.ts';
import { brokenRules } from './rules.ts';

const root = join(import.meta.dirname, '../..');
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => isSource(file) && existsSync(join(root, file)));
const sources = Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const broken = brokenRules(readModules(sources, imports), { rooms, reserved, known });
for (const line of broken) console.error(line);
console.log(`${files.length} files, ${rooms.length} rooms, ${broken.length} broken import rules`);
process.exit(broken.length === 0 ? 0 : 1);
