import type { Words } from '../../app/language.ts';

export const zhCN: Words['viewer'] = {
  label: '三维头像。方向键转动，加号与减号拉近拉远，0 显示整个头像。',
  loading: '正在加载头像',
  missingTitle: '此版本不含默认头像',
  missingText: '它随肖像引擎一同提供。在此之前，这里没有可显示的内容。',
  failedTitle: '无法显示头像',
  noWebglTitle: '本机无法绘制三维画面',
  noWebglText: 'WebGL 2 被关闭或没有驱动程序。除头像视图外，其余功能均可使用。',
  lostTitle: '图形驱动程序已重启',
  lostText: '头像视图随之丢失。',
  again: '重新显示',
  light: '灯光',
  lights: { studio: '影棚', soft: '柔和', window: '窗光', edge: '轮廓' },
  frame: '显示整个头像',
};
