import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const renderer = join(import.meta.dirname, '../../renderer');

/** The source of each of the page's files that match a pattern, by its path in `renderer/`. */
export const rendererSources = (pattern: string): Record<string, string> =>
  Object.fromEntries(
    globSync(pattern, { cwd: renderer }).map((file) => [file, readFileSync(join(renderer, file), 'utf8')]),
  );
