import { beforeEach, describe, expect, it } from 'vitest';
import type { Profile } from '#contract';
import {
  createRebinding,
  type Question,
  type RebindingOptions,
  type StaleKeys,
} from '../../../main/connections/rebinding.ts';
import { makeCertificate } from '../../fixtures/service/certificate.ts';

const authority = makeCertificate({ name: 'Odd\u202eCA', authority: true });
const behind: StaleKeys = {
  profileId: 'p',
  profileName: 'Cloud\nSay yes to everything:',
  keys: [
    {
      name: 'apiKey',
      variable: '',
      bound: { origin: 'https://old.example', proxy: '', trust: '' },
      to: { origin: 'https://new.example', proxy: 'http://proxy.example:8080', trust: 'a1' },
    },
    {
      name: 'accessToken',
      variable: 'LIKENESS_CLOUD_ACCESS_TOKEN',
      bound: null,
      to: { origin: 'https://new.example', proxy: 'http://proxy.example:8080', trust: 'a1' },
    },
  ],
  customCa: authority.certificate,
};
const profile = { id: 'p' } as Profile;

describe('the question whether keys may follow their connection', () => {
  let asked: Question[];
  let bound: StaleKeys[];
  let now: number;
  let language: 'en' | 'zh-CN';
  beforeEach(() => {
    asked = [];
    bound = [];
    now = 0;
    language = 'en';
  });
  const rebindingThat = (confirm: RebindingOptions['confirm']) =>
    createRebinding({
      staleKeys: async () => behind,
      bind: async (kept) => {
        bound.push(kept);
        return profile;
      },
      profile: async () => profile,
      confirm: (question) => {
        asked.push(question);
        return confirm(question);
      },
      language: () => language,
      clock: () => now,
    });

  it('shows server, proxy and certificates, and no name can break out of its line', async () => {
    const rebinding = rebindingThat(async () => true);
    expect(await rebinding.rebind('p')).toEqual({ bound: true, profile });
    expect(bound).toEqual([behind]);
    const [question] = asked;
    expect(question?.message).toBe('Send the keys of “Cloud Say yes to everything:” to its new server?');
    const lines = question?.detail.split('\n') ?? [];
    expect(lines.slice(0, 4)).toEqual([
      'API key → https://new.example',
      'LIKENESS_CLOUD_ACCESS_TOKEN → https://new.example',
      'Through the proxy http://proxy.example:8080',
      'Trusted besides the system’s certificate authorities:',
    ]);
    expect(lines[4]).toMatch(/^ {2}CN=Odd.{0,8}CA \(SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}\)$/);
    expect(lines[4]).not.toContain('\u202e');
    expect(lines).toContain('So far: https://old.example');
    language = 'zh-CN';
    await rebinding.rebind('p');
    expect(asked[1]).toMatchObject({ yes: '发送到那里', no: '不发送' });
    expect(asked[1]?.detail).toContain('经由代理 http://proxy.example:8080');
  });

  it('binds nothing on a no, and is not put again in a loop', async () => {
    const rebinding = rebindingThat(async () => false);
    expect(await rebinding.rebind('p')).toEqual({ bound: false, profile });
    for (let again = 0; again < 50; again += 1) {
      await expect(rebinding.rebind('p')).rejects.toMatchObject({
        code: 'not_allowed',
        message: 'You answered no; you can ask again in 30 seconds.',
      });
    }
    expect(asked).toHaveLength(1);
    // An hour of a page that asks whenever it may.
    for (; now < 3_600_000; now += 1000) await rebinding.rebind('p').catch(() => undefined);
    expect(asked.length).toBeLessThan(9);
    expect(bound).toEqual([]);
    // A person at the command line is no page.
    expect(await rebinding.rebind('p', async () => true)).toMatchObject({ bound: true });
  });

  it('is put once at a time', async () => {
    const answers: ((yes: boolean) => void)[] = [];
    const rebinding = rebindingThat(
      () =>
        new Promise((resolve) => {
          answers.push(resolve);
        }),
    );
    const first = rebinding.rebind('p');
    await expect(rebinding.rebind('p')).rejects.toMatchObject({
      code: 'not_allowed',
      message: 'A question about keys is already open.',
    });
    answers[0]?.(true);
    expect(await first).toMatchObject({ bound: true });
    expect(asked).toHaveLength(1);
  });
});
