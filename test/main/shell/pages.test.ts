import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPages, type Pages } from '../../../main/shell/pages.ts';

const secret = 'a file outside the page';
let folder: string;
let pages: Pages;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-pages-'));
  await mkdir(join(folder, 'page/assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), secret);
  await writeFile(
    join(folder, 'page/index.html'),
    '<html><script type="module" src="/assets/app.js"></script></html>',
  );
  await writeFile(join(folder, 'page/assets/app.js'), 'export {};');
  await writeFile(join(folder, 'head.glb'), Buffer.from('0123456789'));
  await symlink(join(folder, 'secret.txt'), join(folder, 'page/assets/link.txt'));
  pages = createPages({
    rendererFolder: join(folder, 'page'),
    bridgeFile: join(folder, 'page/assets/app.js'),
    asset: async (kind, id) =>
      kind === 'model' && id === 'one'
        ? join(folder, 'head.glb')
        : kind === 'photo'
          ? join(folder, id)
          : null,
  });
});
afterAll(() => rm(folder, { recursive: true }));

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  pages(new Request(`likeness://app${path}`, { headers, method }));

describe('the page', () => {
  it('comes with a strict policy: own origin only, no inline script, no eval, no frames', async () => {
    const answer = await get('/');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).not.toContain("'unsafe-eval'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('runs the shell’s bridge before the app', async () => {
    const html = await (await get('/')).text();
    expect(html.indexOf('/bridge.js')).toBeGreaterThan(0);
    expect(html.indexOf('/bridge.js')).toBeLessThan(html.indexOf('/assets/app.js'));
  });

  it('answers GET and HEAD only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await get('/', {}, method)).status).toBe(405);
    expect(await (await get('/assets/app.js', {}, 'HEAD')).text()).toBe('');
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/link.txt',
    '/%00',
    '/assets/app.js%00.txt',
    '//etc/passwd',
    '/assets',
    '/%E0%A4%A',
  ])('gives nothing for %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.text()).not.toContain(secret);
  });
});

describe('an asset', () => {
  it('is found by kind and id only, never by path', async () => {
    expect((await get('/asset/model/one')).status).toBe(200);
    for (const path of [
      '/asset/model/two',
      '/asset/portrait/one',
      '/asset/model/..%2fsecret',
      '/asset/secret/one',
      '/asset/',
    ])
      expect((await get(path)).status).toBe(404);
  });

  it('is typed by what it is, never by the name that somebody gave it', async () => {
    const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 <script>alert(1)</script>', 'latin1');
    for (const name of ['evil_html', 'evil_js', 'evil_svg']) await writeFile(join(folder, name), webp);
    await writeFile(join(folder, 'page_html'), '<script>alert(1)</script>');
    await writeFile(join(folder, 'empty'), '');
    const typeOf = async (id: string) => (await get(`/asset/photo/${id}`)).headers.get('content-type');
    for (const name of ['evil_html', 'evil_js', 'evil_svg']) expect(await typeOf(name)).toBe('image/webp');
    for (const name of ['page_html', 'empty']) expect(await typeOf(name)).toBe('application/octet-stream');
    expect((await get('/asset/model/one')).headers.get('content-type')).toBe('model/gltf-binary');
  });

  it('is not a link that took the place of the file that was looked at', async () => {
    await symlink(join(folder, 'secret.txt'), join(folder, 'taken_place'));
    expect((await get('/asset/photo/taken_place')).status).toBe(404);
  });

  it('is a download where it is opened as a page, and could do nothing there', async () => {
    const { headers } = await get('/asset/model/one');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is not among the studio’s own code, however its address is written', async () => {
    for (const path of [
      '/asset/model/one',
      '/%61sset/model/one',
      '/x/../asset/model/one',
      '/asset/./model/one',
    ])
      expect((await pages(new Request(`likeness://app${path}`), 'page')).status, path).toBe(401);
    expect((await pages(new Request('likeness://app/assets/app.js'), 'page')).status).toBe(200);
  });

  it.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('answers the range %s', async (range, status, text, contentRange) => {
    const answer = await get('/asset/model/one', { range });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe(text);
    expect(answer.headers.get('content-range')).toBe(contentRange);
  });

  it('is not sent again while it is the same', async () => {
    const etag = (await get('/asset/model/one')).headers.get('etag') ?? '';
    expect((await get('/asset/model/one', { 'if-none-match': etag })).status).toBe(304);
    const stale = await get('/asset/model/one', { range: 'bytes=0-1', 'if-range': '"old"' });
    expect(stale.status).toBe(200);
  });
});
