import type { Words } from '../../app/language.ts';

export const zhCN: Words['settings'] = {
  sections: { general: '常规', connections: '连接', keys: '密钥', engine: '内置引擎', about: '关于' },
};
