/** What the release workflow runs on electron-builder's announcement. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { feedName, isSigned, publicKeyFrom } from '../../main/shell/electron/updates/update_signature.ts';
import { freshKeys } from '../fixtures/electron/update_server.ts';

const announced =
  { win32: 'latest.yml', darwin: 'latest-mac.yml' }[process.platform as string] ?? 'latest-linux.yml';
const name = feedName(process.platform, process.arch);
const text = `version: 1.2.0
files:
  - url: Likeness-Studio-1.2.0-x64.AppImage
    sha512: ${'A'.repeat(86)}==
    size: 123
    blockMapSize: 45
path: Likeness-Studio-1.2.0-x64.AppImage
sha512: ${'A'.repeat(86)}==
releaseDate: '2026-11-20T08:00:00.000Z'
`;
let dist: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'likeness-dist-'));
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

function sign(announcement: string, privateKey: string, publicKey: string): number | null {
  writeFileSync(join(dist, announced), announcement);
  const { status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../../scripts/sign-updates.ts'), dist],
    {
      env: { ...process.env, UPDATE_SIGNING_KEY: privateKey, UPDATE_PUBLIC_KEY: publicKey },
    },
  );
  return status;
}

test('an announcement is signed under the name that the studio asks for', () => {
  const { privateKey, publicKey } = freshKeys();
  expect(sign(text, privateKey, publicKey)).toBe(0);
  const signature = readFileSync(join(dist, `${name}.sig`), 'utf8').trim();
  const key = publicKeyFrom(publicKey)!;
  expect(readFileSync(join(dist, name), 'utf8')).toBe(text);
  expect(isSigned(name, text, signature, key)).toBe(true);
  expect(isSigned('windows-x64.yml', text, signature, key)).toBe(false);
  expect(isSigned(name, text.replace('1.2.0', '1.2.1'), signature, key)).toBe(false);
});

test('nothing is signed that the build would not take: another key, no hash', () => {
  const { privateKey, publicKey } = freshKeys();
  expect(sign(text, freshKeys().privateKey, publicKey)).not.toBe(0);
  expect(sign(text.replace(/sha512: .*\n {4}size/, 'size'), privateKey, publicKey)).not.toBe(0);
  expect(existsSync(join(dist, `${name}.sig`))).toBe(false);
});
