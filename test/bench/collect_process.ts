/**
 * Loaded by a process that a benchmark watches (`NODE_OPTIONS=--import`): on SIGUSR2 it collects its garbage,
 * so that what is resident afterwards is what is held, and not what V8 has not looked at yet.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => collect());
