/**
 * Generates proto/generated/face_animation.{js,d.ts} from proto/face_animation.proto with protobufjs-cli.
 *
 *     node scripts/proto-generate.ts            write, and leave files alone that are already right
 *     node scripts/proto-generate.ts --check    write nothing; exit 1 if a file is missing or differs
 *
 * The output depends on the .proto and on the pinned protobufjs-cli only.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pbjs } from 'protobufjs-cli';

const protoFolder = fileURLToPath(new URL('../proto/', import.meta.url));
const generatedFolder = join(protoFolder, 'generated');
const fileNames = ['face_animation.js', 'face_animation.d.ts'];

await main(process.argv.includes('--check'));

async function main(checkOnly: boolean): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'likeness-proto-'));
  try {
    await runPbjs(join(scratch, 'face_animation.js'));
    const stale = fileNames.filter(
      (name) => readIfThere(join(generatedFolder, name)) !== readFileSync(join(scratch, name), 'utf8'),
    );
    if (checkOnly && stale.length > 0) {
      process.stderr.write(
        `proto/generated is out of date (${stale.join(', ')}): run node scripts/proto-generate.ts\n`,
      );
      process.exitCode = 1;
    } else {
      mkdirSync(generatedFolder, { recursive: true });
      for (const name of stale)
        writeFileSync(join(generatedFolder, name), readFileSync(join(scratch, name), 'utf8'));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** `--dts` writes the declarations that pbts would, without pbts's detour over jsdoc. */
function runPbjs(out: string): Promise<void> {
  const options = ['--target', 'static-module', '--wrap', 'esm', '--root', 'likeness', '--dts'];
  const omitted = ['--no-create', '--no-verify', '--no-convert', '--no-typeurl', '--no-service'];
  return new Promise((resolve, reject) => {
    pbjs.main([...options, ...omitted, '--out', out, join(protoFolder, 'face_animation.proto')], (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
