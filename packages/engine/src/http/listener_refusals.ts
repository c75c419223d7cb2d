/** The listener's refusals that are common to all operations. */
import { isDiskFull } from '@likeness/node-kit/error_codes.ts';
import type { Text } from './language.ts';
import { Refusal } from './refusal.ts';

/** The key that an operation requires: Group A's, Group B's, either, or none. */
export type RequiredKey = 'A' | 'B' | 'either' | 'none';

export function wrongMethod(method: string, allowed: readonly string[]): Refusal {
  const allow = [...new Set(allowed)].join(', ');
  return new Refusal(
    405,
    'method_not_allowed',
    {
      en: `${method} is not among this path's methods (${allow}).`,
      zh: `此路径不支持 ${method}（支持：${allow}）。`,
    },
    { headers: { allow } },
  );
}

export function unknownPath(path: string, pathWord: string): Refusal {
  return new Refusal(404, 'path_unknown', {
    en: `No operation exists at ${path.slice(0, 200)}. /openapi.json lists the operations; the word in the paths is "${pathWord}".`,
    zh: `${path.slice(0, 200)} 不存在。可用接口见 /openapi.json；路径中的词为 "${pathWord}"。`,
  });
}

/** The built-in engine's message for another host name; a service lists the names that it answers to. */
export const loopbackNamesOnly: Text = {
  en: 'The engine answers only to 127.0.0.1 and localhost with its own port as Host.',
  zh: '引擎只响应 Host 为 127.0.0.1 或 localhost 加自身端口的请求。',
};

export const wrongHost = (text: Text): Refusal => new Refusal(421, 'host_unknown', text, { field: 'host' });

export function encoded(): Refusal {
  return new Refusal(
    415,
    'content_encoding',
    {
      en: 'Send the body without Content-Encoding: images and audio are compressed already.',
      zh: '请不要使用 Content-Encoding 发送请求体。',
    },
    { field: 'content-encoding' },
  );
}

/** @param hint Why a correct key may be wrong now. */
export function unauthorized(auth: RequiredKey, hint: Text): Refusal {
  const wanted =
    auth === 'A'
      ? {
          en: 'the header Authorization: Bearer <access token>',
          zh: '请求头 Authorization: Bearer <访问令牌>',
        }
      : auth === 'B'
        ? { en: 'the header auth_ak: <API key>', zh: '请求头 auth_ak: <API 密钥>' }
        : {
            en: 'the header Authorization: Bearer <access token> or auth_ak: <API key>',
            zh: '请求头 Authorization: Bearer <访问令牌> 或 auth_ak: <API 密钥>',
          };
  return new Refusal(
    401,
    'unauthorized',
    {
      en: `This operation needs ${wanted.en}. It is missing or wrong; ${hint.en}`,
      zh: `此操作需要${wanted.zh}。密钥缺失或错误；${hint.zh}`,
    },
    { headers: auth === 'B' ? {} : { 'www-authenticate': 'Bearer realm="likeness engine"' } },
  );
}

/** Returns the refusal for an error that isn't the caller's. */
export function failure(error: unknown): Refusal {
  if (isDiskFull(error)) {
    return new Refusal(507, 'disk_full', {
      en: 'The disk is full. Free some space and send this again.',
      zh: '磁盘已满。请清理空间后重新发送。',
    });
  }
  return new Refusal(500, 'internal', {
    en: 'The engine failed on this request; its log has the details.',
    zh: '引擎处理此请求时出错；详情见日志。',
  });
}
