import { inEnglish, translate } from '@likeness/messages';
import { expect, it } from 'vitest';
import type { UpstreamError } from '../src/error.ts';
import type { CallContext } from '../src/explain/call_context.ts';
import { explainEnvelope, explainRefusal } from '../src/explain/explain_refusal.ts';
import { explainUnreadable } from '../src/explain/explain_unreadable.ts';
import { UnreadableAnswer } from '../src/operations/envelope.ts';
import type { CollectedAnswer } from '../src/transport/wire.ts';

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
    expect(translate(here.advice, language)).not.toMatch(/bill|account|计费|账户/);
});

const statuses = [307, 400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 429, 500, 501, 502, 503, 504];
const answersWith = (status: number, body = ''): CollectedAnswer => ({
  ...broken,
  status,
  body: Buffer.from(body),
});
const advicesOn = (call: CallContext): [string, UpstreamError][] => [
  ...statuses.map((status): [string, UpstreamError] => [
    `HTTP ${status}`,
    explainRefusal(answersWith(status), call),
  ]),
  ...[401, 404, 429, 500, 1001].map((code): [string, UpstreamError] => [
    `code ${code}`,
    explainEnvelope({ code, message: '' }, 200, call),
  ]),
  ...['{"code":', '<!doctype html>'].map((body): [string, UpstreamError] => [
    body,
    explainUnreadable(
      new UnreadableAnswer('', 'not_json'),
      { status: 200, headers: {}, body: Buffer.from(body) },
      call,
    ),
  ]),
];

it('advice on the built-in engine knows no server, operator, account, key or address', () => {
  for (const [what, { advice }] of advicesOn(context(true)))
    for (const language of ['en', 'zh-CN'] as const)
      expect(translate(advice, language), what).not.toMatch(
        /server'?s|operator|provider|account|balance|Connections|Group|path word|运营者|提供方|账户|余额|“连接”|B 组|路径词/,
      );
  expect(inEnglish(explainRefusal(broken, context(true)).advice)).toBe(
    'Try again. If it happens again, restart the engine in Settings → Engine on this machine.',
  );
});

it('what a server may bill is not to be tried again before somebody has looked', () => {
  for (const [what, { advice, uncertain }] of advicesOn(context(false)).filter(([, one]) => one.uncertain)) {
    expect(uncertain, what).toBe(true);
    expect(inEnglish(advice), what).toMatch(/may bill it: check your account/);
    expect(inEnglish(advice), what).not.toMatch(/try again/i);
    expect(translate(advice, 'zh-CN'), what).not.toMatch(/重试/);
  }
  // Under an idempotency key the same is safe.
  const safe = explainRefusal(broken, { ...context(false), protectedFromRepetition: true });
  expect(inEnglish(safe.advice)).toMatch(/^Try again later/);
});
