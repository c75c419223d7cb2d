/**
 * `npm run quality -- NAME …` and `npm run soak -- NAME …`: runs the program of this name with the other arguments.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  quality: {
    portrait: 'quality/portrait.ts',
    hair: 'quality/hair.ts',
    shape: 'quality/shape.ts',
    lights: 'quality/lights.ts',
    speech: 'quality/speech.ts',
    words: 'quality/words.ts',
    takes: 'quality/take_face.ts',
    covered: 'quality/covered.ts',
    seam: 'quality/hair_seam.ts',
    same: 'quality/same_output.ts',
  },
  soak: {
    batch: 'soak/batch.ts',
    faults: 'soak/faults.ts',
    takes: 'soak/takes.ts',
    service: 'soak/service.ts',
    slopes: 'soak/slopes.ts',
    tenants: 'soak/tenants.ts',
    serve: 'soak/serve.ts',
    proto: 'soak/proto.ts',
  },
};

const [group = '', name = '', ...args] = process.argv.slice(2);
const known = programs[group] ?? {};
const program = known[name];
if (!program) {
  console.error(`Usage: npm run ${group} -- <${Object.keys(known).join('|')}> [arguments]`);
  process.exit(2);
}
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, program), ...args], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
