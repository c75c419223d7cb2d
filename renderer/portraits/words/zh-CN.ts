import type { Words } from '../../app/language.ts';

export const zhCN: Words['portraits'] = { title: '' };
