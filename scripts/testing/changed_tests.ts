/**
 * The tests that a change touches. Vitest follows imports. A test that starts a built file (`out/main/cli.js`)
 * does not import it: the folder of tests beside a changed folder and the end-to-end files of its subject are
 * added.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** End-to-end files by the name of a folder that they show, in `main` and in `renderer`. */
const specsByFolder: Record<string, readonly string[]> = {
  batch: ['portraits'],
  client: ['own_server'],
  speech: ['live', 'takes'],
  portrait: ['portraits'],
  journal: ['frame'],
  connections: ['own_server', 'planted_key'],
  frame: ['frame', 'layout', 'first_run'],
  library: ['library'],
  live: ['live', 'live_server', 'samples'],
  obs: ['browser_source'],
  portraits: ['portraits', 'first_run'],
  send: ['sending', 'browser_source'],
  settings: ['frame', 'own_server'],
  shell: ['open_pages', 'first_run', 'planted_key'],
  speaking: ['live', 'takes'],
  takes: ['takes', 'tries', 'words'],
  ui: ['frame', 'layout'],
  viewer: ['library', 'browser_source'],
};

/** Files that differ from a commit, those that git does not know yet among them. */
export function changedFiles(root: string, since: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', since, '--'), ...git('ls-files', '--others', '--exclude-standard')];
}

/**
 * Folders of tests that lie as the changed files do: `main/takes/a.ts` has `test/main/takes`, a package its
 * `test`.
 */
export function foldersBeside(root: string, changed: readonly string[]): string[] {
  const folders = changed
    .filter((file) => /^(main|packages|preload|proto)\//.test(file))
    .map((file) => {
      const [, name] = /^packages\/([^/]+)\/src\//.exec(file) ?? [];
      if (name) return `packages/${name}/test/`;
      let folder = dirname(file);
      while (folder.includes('/') && !existsSync(join(root, 'test', folder))) folder = dirname(folder);
      return folder.includes('/') ? `test/${folder}/` : null;
    })
    .filter((folder) => folder !== null);
  return [...new Set(folders)];
}

/** End-to-end files of changed folders, as Playwright's filters. */
export function changedSpecs(changed: readonly string[]): string[] {
  const names = changed.flatMap((file) => {
    const spec = /^test\/e2e\/(\w+)\.spec\.ts$/.exec(file)?.[1];
    if (spec) return [spec];
    return /^(main|packages|renderer)\//.test(file)
      ? dirname(file)
          .split('/')
          .flatMap((folder) => specsByFolder[folder] ?? [])
      : [];
  });
  return [...new Set(names)].map((name) => `/${name}\\.spec\\.ts$`);
}
