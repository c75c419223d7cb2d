/**
 * `npm run docs`: writes the pages that are generated from the code. With `--check` it writes nothing and
 * fails if a page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandPage } from './pages/command_page.ts';
import { httpApiPage } from './pages/http_api_page.ts';
import { qualityPage } from './pages/quality_page.ts';
import { thirdPartyNotices } from './pages/third_party_notices.ts';

const root = join(import.meta.dirname, '..');

/** The expected content of each generated page, by its path. */
export const madePages: Readonly<Record<string, () => string>> = {
  'docs/cli.md': () => commandPage(readFileSync(join(root, 'docs/cli.md'), 'utf8')),
  'docs/http-api.md': httpApiPage,
  'docs/quality.md': () => qualityPage(),
  'THIRD_PARTY_NOTICES.md': () => thirdPartyNotices(root),
};

if (import.meta.main) {
  const checkOnly = process.argv.includes('--check');
  for (const [path, make] of Object.entries(madePages)) {
    const page = make();
    if (!checkOnly) writeFileSync(join(root, path), page);
    else if (readFileSync(join(root, path), 'utf8') !== page) {
      console.error(`${path} is out of date: run npm run docs`);
      process.exitCode = 1;
    }
  }
}
