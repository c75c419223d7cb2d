/** Messages that join or wrap other messages. */
export const generalMessages = {
  and_then: { en: '{first} {second}', zh: '{first}{second}' },
  whole_sentence: { en: '{message}', zh: '{message}' },
  'amount.seconds': { en: '{seconds} s', zh: '{seconds} 秒' },
  'amount.minutes': { en: '{minutes} {minutes, plural, one {minute} other {minutes}}', zh: '{minutes} 分钟' },
  'amount.bytes': { en: '{bytes} {bytes, plural, one {byte} other {bytes}}', zh: '{bytes} 字节' },
  side_by_side: { en: '{first}{second}', zh: '{first}{second}' },
} as const;
