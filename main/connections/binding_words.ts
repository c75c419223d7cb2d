import type { SecretName, Settings } from '#contract';

/** Asks in the user's language whether keys may follow their connection to a new server. */
interface BindingWords {
  message: (connection: string) => string;
  secrets: Record<SecretName, string>;
  nowhere: string;
  goes: (key: string, origin: string) => string;
  proxy: (address: string) => string;
  noProxy: string;
  trusted: string;
  more: (count: number) => string;
  systemTrust: string;
  before: (origin: string, proxy: string) => string;
  never: string;
  warning: string;
  yes: string;
  no: string;
}

export const bindingWords: Record<Settings['language'], BindingWords> = {
  en: {
    message: (connection) => `Send the keys of “${connection}” to where it leads now?`,
    secrets: {
      accessToken: 'Access token',
      apiKey: 'API key',
      clientKey: 'Client private key',
      proxyPassword: 'Proxy password',
    },
    nowhere: 'no address yet',
    goes: (key, origin) => `${key} → ${origin}`,
    proxy: (address) => `Through the proxy ${address}`,
    noProxy: 'Without a proxy',
    trusted: 'Trusted besides the system’s certificate authorities:',
    more: (count) => `and ${count} more`,
    systemTrust: 'Trusted: the system’s certificate authorities only',
    before: (origin, proxy) => `So far: ${origin}${proxy ? ` through ${proxy}` : ''}`,
    never: 'So far: nowhere',
    warning: 'Say yes only if you changed this connection yourself.',
    yes: 'Send them there',
    no: 'No',
  },
  'zh-CN': {
    message: (connection) => `要将“${connection}”的密钥发送到它现在指向的位置吗？`,
    secrets: {
      accessToken: '访问令牌',
      apiKey: 'API 密钥',
      clientKey: '客户端私钥',
      proxyPassword: '代理密码',
    },
    nowhere: '尚无地址',
    goes: (key, origin) => `${key} → ${origin}`,
    proxy: (address) => `经由代理 ${address}`,
    noProxy: '不经代理',
    trusted: '除系统的证书颁发机构外，还信任：',
    more: (count) => `以及另外 ${count} 个`,
    systemTrust: '仅信任系统的证书颁发机构',
    before: (origin, proxy) => `此前：${origin}${proxy ? `，经由 ${proxy}` : ''}`,
    never: '此前：未发送到任何位置',
    warning: '仅当您亲自更改了此连接时才选择“是”。',
    yes: '是，发送到那里',
    no: '否',
  },
};
