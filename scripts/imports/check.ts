/**
 * `node scripts/imports/check.ts`: checks every source file against the table of rooms, and prints
 * violations.
 */
import { join } from 'node:path';
import { readTree } from './modules.ts';
import { known, reserved, rooms } from './rooms.ts';
import { brokenRules } from './rules.ts';

const modules = readTree(join(import.meta.dirname, '../..'));
const broken = brokenRules(modules, { rooms, reserved, known });
for (const line of broken) console.error(line);
console.log(`${modules.length} files, ${rooms.length} rooms, ${broken.length} broken import rules`);
process.exit(broken.length === 0 ? 0 : 1);
