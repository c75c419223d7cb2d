/** A studio's process with nothing but the engine's supervisor, to be killed by a test. */
import { superviseEngine } from './supervised_engine.ts';

const engine = superviseEngine({ folder: process.argv[2]!, onForked: (pid) => process.send?.({ pid }) });
const { url } = await engine.connect();
process.send?.({ url });
