import type { Units } from '@likeness/engine/http/access.ts';
import { Refusal } from '@likeness/engine/http/refusal.ts';

/** Default of Retry-After, seconds. */
const defaultRetryAfter = 1;

const unitWords: Readonly<Record<keyof Units, { en: string; zh: string }>> = {
  seconds: { en: 'seconds of audio', zh: '秒音频' },
  frames: { en: 'frames', zh: '帧' },
  models: { en: 'models', zh: '个模型' },
};

export function capReached(
  unit: keyof Units,
  { cap, used, pending }: { cap: number; used: number; pending: number },
): Refusal {
  const { en, zh } = unitWords[unit];
  const amount = (value: number): string => String(Math.round(value * 10) / 10);
  return new Refusal(402, 'cap_reached', {
    en: `This key may use ${amount(cap)} ${en} a month; ${amount(used)} are used and ${amount(pending)} in progress. Nothing was done. The service’s operator can raise the cap.`,
    zh: `此密钥每月限 ${amount(cap)} ${zh}；已使用 ${amount(used)}，进行中 ${amount(pending)}。未执行任何操作。请联系本服务的管理员提高上限。`,
  });
}

export function tooManyConcurrentCalls(max: number): Refusal {
  return new Refusal(
    429,
    'too_many_at_once',
    {
      en: `This key already has ${max} requests in progress, which is its limit. Wait until one has ended.`,
      zh: `此密钥已有 ${max} 个请求正在进行，已达上限。请等待其中一个结束。`,
    },
    { headers: { 'retry-after': String(defaultRetryAfter) } },
  );
}

/** @param wait Milliseconds. */
export function tooFast(perSecond: number, wait: number): Refusal {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new Refusal(
    429,
    'rate_exceeded',
    {
      en: `This key may send ${perSecond} requests a second. Send this again in ${seconds} s.`,
      zh: `此密钥每秒最多发送 ${perSecond} 个请求。请在 ${seconds} 秒后重新发送。`,
    },
    { headers: { 'retry-after': String(seconds) } },
  );
}
