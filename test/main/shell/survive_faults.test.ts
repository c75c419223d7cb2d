import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('what nobody caught is told and ends no process', async () => {
  const code = `
    const { surviveFaults } = await import(${JSON.stringify(join(import.meta.dirname, '../../../main/shell/survive_faults.ts'))});
    surviveFaults((where, error) => console.log(where + ': ' + error.message));
    setTimeout(() => { throw new Error('thrown'); });
    setTimeout(() => void Promise.reject(new Error('rejected')), 20);
    setTimeout(() => console.log('lives'), 100);`;
  const out = await new Promise<string>((resolve, reject) =>
    execFile(process.execPath, ['--input-type=module', '-e', code], (failure, text) =>
      failure ? reject(failure) : resolve(text),
    ),
  );
  expect(out.trim().split('\n')).toEqual(['main: thrown', 'a promise nobody awaited: rejected', 'lives']);
});
