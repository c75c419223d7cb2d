import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/storage/log.ts';
import { createScrub } from '../../src/storage/scrub.ts';

const token = 'tok_9f8e7d6c5b4a+/"x"';

describe('the scrub', () => {
  it('takes out a known secret in every form it travels in', () => {
    const scrub = createScrub();
    scrub.know(token);
    const bytes = Buffer.from(token);
    for (const form of [
      token,
      JSON.stringify({ at: token }),
      `https://x/?q=${encodeURIComponent(token)}`,
      bytes.toString('base64'),
      bytes.toString('base64url'),
      bytes.toString('hex'),
    ]) {
      const clean = scrub(`before ${form} after`);
      expect(clean).toContain('[secret]');
      expect(clean).not.toContain('9f8e7d6c5b4a');
    }
    expect(scrub(`cut in the middle: ${token.slice(0, 10)}`)).toBe('cut in the middle: [secret]');
    expect(scrub('nothing here')).toBe('nothing here');
  });

  it('does work that grows with the text, not with what is known', () => {
    let compared = 0;
    const counting = createScrub({
      onCompared: () => {
        compared += 1;
      },
    });
    const text = 'A line of a log about nothing in particular, 127.0.0.1:4001 said 200. '.repeat(50);
    const workOf = (): number => {
      compared = 0;
      counting(text);
      return compared;
    };
    for (let count = 0; count < 20; count += 1) counting.know(randomBytes(24).toString('base64'));
    const few = workOf();
    for (let count = 0; count < 2000; count += 1) counting.know(randomBytes(24).toString('base64'));
    for (let count = 0; count < 8; count += 1) {
      counting.know(Array.from({ length: 400 }, () => randomBytes(30).toString('hex')).join('\n'));
    }
    // Some begin with four characters of the text; before, all 50,000 forms were looked for from end to end.
    expect(workOf()).toBeLessThan(few + 500);
    const secret = randomBytes(24).toString('hex');
    counting.know(secret);
    expect(counting.containsSecret(`${text}${secret}`)).toBe(true);
    expect(counting.containsSecret(text)).toBe(false);
  });

  it('leaves nothing of two secrets that overlap', () => {
    const own = createScrub();
    own.know('abcdefghij');
    own.know('ghijklmnopqrst');
    expect(own('x abcdefghijklmnopqrst y')).toBe('x [secret] y');
    expect(own('abcdefghijabcdefghij')).toBe('[secret][secret]');
  });

  it('takes out what looks like a secret, though nobody told it', () => {
    const scrub = createScrub();
    expect(scrub('Authorization: Bearer abc.def-123')).toBe('Authorization: Bearer [secret]');
    expect(scrub('{"auth_ak":"k1234567"}')).toBe('{"auth_ak":"[secret]"}');
    expect(scrub('http://ann:hunter22@proxy:8080/')).toBe('http://ann:[secret]@proxy:8080/');
    expect(scrub('x -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- y')).toBe(
      'x [private key] y',
    );
    expect(scrub('the secret: to keep calm')).toContain('the secret: to keep calm');
  });

  it('knows the lines of a key of several lines', () => {
    const scrub = createScrub();
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
    scrub.know(`-----BEGIN PRIVATE KEY-----\n${line}\nshort\n-----END PRIVATE KEY-----\n`);
    expect(scrub(`bad line: ${line}!`)).toBe('bad line: [secret]!');
  });
});

describe('the log', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'likeness-log-')), 'logs');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  const read = (name = 'studio.log'): string => readFileSync(join(folder, name), 'utf8');

  it('holds lines of JSON without any secret, for its owner only', () => {
    const scrub = createScrub();
    scrub.know(token);
    const log = createLog({ folder, scrub, clock: () => Date.UTC(2026, 10, 3) });
    log.info({ profile: 'p1', deep: { apiKey: 'never-told-key' } }, `sent ${token}`);
    log.error(new Error(`refused: ${token}`));
    log.debug('not at this level');
    log.end();
    log.info('after the end');
    const lines = read()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      level: 'info',
      time: '2026-11-03T00:00:00.000Z',
      msg: 'sent [secret]',
      deep: { apiKey: '[secret]' },
    });
    expect(lines[1].err.message).toBe('refused: [secret]');
    expect(read()).not.toMatch(/9f8e7d6c|never-told/);
    expect(statSync(join(folder, 'studio.log')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is put by when full, and only so many are kept', () => {
    const log = createLog({ folder, scrub: createScrub(), maxBytes: 2000, keep: 2 });
    for (let line = 0; line < 200; line += 1) log.info(`line ${line}`);
    log.end();
    expect(readdirSync(folder).sort()).toEqual(['studio.1.log', 'studio.2.log', 'studio.log']);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(2000);
    }
    expect(read()).toContain('line 199');
    const again = createLog({ folder, scrub: createScrub(), maxBytes: 2000, keep: 2 });
    again.info('the next run goes on in the same file or a fresh one');
    again.end();
    expect(read()).toContain('the next run');
  });

  it('shortens an entry that is no log entry, and survives a folder that is gone', () => {
    const log = createLog({ folder, scrub: createScrub() });
    log.info({ body: 'x'.repeat(100_000) }, 'huge');
    expect(read().length).toBeLessThan(3000);
    expect(JSON.parse(read()).msg).toContain('too long for the log');
    log.end();
    const lost = createLog({ folder: join(folder, 'studio.log', 'inner'), scrub: createScrub() });
    lost.info('nowhere to go');
    lost.end();
  });

  it('loses the names of an erased person, and goes on being written', () => {
    const log = createLog({ folder, scrub: createScrub(), maxBytes: 400, keep: 2 });
    for (let line = 0; line < 6; line += 1) log.error({ path: `/x/Ann "A" Lee 12/model.glb` }, 'no space');
    expect(log.erase(['Ann "A" Lee 12', 'Ann "A" Lee', 'no', 'spa'])).toBeGreaterThan(3);
    log.info('after it');
    log.end();
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts.join('')).not.toContain('Lee');
    for (const line of texts.join('').trim().split('\n'))
      expect(JSON.parse(line).msg).toMatch(/no space|after it/);
    expect(texts.join('')).toContain('after it');
  });
});
