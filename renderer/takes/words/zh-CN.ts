import type { Words } from '../../app/language.ts';

export const zhCN: Words['takes'] = {
  emptyTitle: '尚无录制',
  emptyText: '录制包含声音与面部动画。在“实时”中录下的内容保存在此，可在任意头像上播放并导出。',
  live: '前往实时',
};
