/** What tests each push, and builds and signs the installers, by its text: it can't be run here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../.github/workflows');
const workflows = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));

/** What each step uses, with its comment. */
const usedIn = (text: string): string[] =>
  [...text.matchAll(/\buses\b['"]?\s*:\s*(.+)$/gm)].map(([, used = '']) => used.trim());

describe.each(workflows)('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');

  test('pins every action by commit, with the version beside it', () => {
    const local = usedIn(text).filter((action) => action.startsWith('./'));
    // A workflow of our own is of the same commit.
    for (const action of local) expect(existsSync(join(folder, '../..', action)), action).toBe(true);
    const used = usedIn(text).filter((action) => !action.startsWith('./'));
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) {
      expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    // One action, one commit: two would mean that one of them was not looked at.
    const commits = new Map(used.map((action) => [action.split('@')[0], action]));
    for (const action of used) expect(commits.get(action.split('@')[0])).toBe(action);
  });

  test('may write nothing where it builds, and runs for no stranger’s change', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(text).not.toMatch(/pull_request/);
    expect(text).toContain('persist-credentials: false');
  });
});

test('keys reach the step that needs them and no other', () => {
  const text = readFileSync(join(folder, 'installers.yml'), 'utf8');
  const steps = text.split(/^ {6}- /m).filter((step) => step.includes('UPDATE_SIGNING_KEY'));
  expect(steps).toHaveLength(1);
  expect(steps[0]).toContain('scripts/sign-updates.ts');
  expect(text).not.toMatch(/run:[^\n]*\$\{\{ (secrets|vars)/);
});

test('every push is tested on the three systems, on Linux in a real Electron', () => {
  const text = readFileSync(join(folder, 'test.yml'), 'utf8');
  expect(text).toMatch(/^ {2}push:\n {4}branches: \['\*\*'\]$/m);
  for (const runner of ['ubuntu-', 'windows-', 'macos-']) expect(text).toContain(runner);
  expect(text).toMatch(/npx install-electron[\s\S]*xvfb-run --auto-servernum npm test/);
});

test('no installer is built of what was not tested', () => {
  const text = readFileSync(join(folder, 'installers.yml'), 'utf8');
  expect(text).toMatch(/^ {2}test:\n {4}uses: \.\/\.github\/workflows\/test\.yml$/m);
  expect(text).toMatch(/^ {2}build:\n {4}needs: test$/m);
});

test('a mutable tag is seen', () => {
  expect(usedIn('      - uses: actions/checkout@v5\n')).toEqual(['actions/checkout@v5']);
});
