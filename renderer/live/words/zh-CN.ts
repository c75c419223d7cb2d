import type { Words } from '../../app/language.ts';

export const zhCN: Words['live'] = { title: '' };
