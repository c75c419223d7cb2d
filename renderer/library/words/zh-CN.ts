import type { Words } from '../../app/language.ts';

export const zhCN: Words['library'] = {
  emptyTitle: '尚无头像',
  emptyText: '用照片制作的每个头像都保存在此，连同它的图像、面部形态与来源。',
  make: '用照片制作头像',
  default: '默认头像',
};
