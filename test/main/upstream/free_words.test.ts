import { expect, it } from 'vitest';
import { inEnglish, inWords } from '#sentences';
import type { CallContext } from '../../../main/upstream/explain/call_context.ts';
import { explainRefusal } from '../../../main/upstream/explain/explain_refusal.ts';

const context = (builtIn: boolean): CallContext => ({
  operation: 'generate_model',
  profileName: 'A connection',
  host: 'x',
  addressName: 'Group B address',
  keyName: 'Group B API key',
  idempotent: false,
  builtIn,
  protectedFromRepetition: false,
  proxyHost: '',
  secrets: [],
  now: Date.now,
});
const broken = { status: 502, headers: {}, body: Buffer.from(''), cut: false };

it('a call that may have been received says that a server may bill it, and nothing of the kind of the built-in engine', () => {
  const server = explainRefusal(broken, context(false));
  expect(inEnglish(server.advice)).toMatch(/may bill/);
  expect(server.uncertain).toBe(true);
  const here = explainRefusal(broken, context(true));
  // That it may have been received is known all the same: it is not sent again by itself.
  expect(here.uncertain).toBe(true);
  for (const language of ['en', 'zh-CN'] as const)
    expect(inWords(here.advice, language)).not.toMatch(/bill|account|计费|账户/);
});
