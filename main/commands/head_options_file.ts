import { readFile } from 'node:fs/promises';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { chosenOptions, type HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';

/**
 * Reads head options from a JSON file; null if all are defaults.
 *
 * @throws Failure `invalid_input` with the invalid value, `storage`
 */
export async function readHeadOptions(file: string): Promise<HeadOptions | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw storageFailure(error, file);
  });
  let problem = 'JSON';
  try {
    const { data, error } = HeadOptionsSchema.safeParse(JSON.parse(text));
    if (data) return chosenOptions(data);
    const [issue] = error.issues;
    problem = [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
  } catch {
    // Not valid JSON.
  }
  throw new Failure('invalid_input', t('cli.no_options', { file, problem }), {
    field: 'options',
    hint: t('cli.write_like', {
      example:
        '{"smile": 1, "light": 0, "glasses": "removed", "eyeColour": "#5a7fa0", "hairColour": "#6b4a2f", "head": 1.05, "bust": "#2f3a48"}',
    }),
  });
}
