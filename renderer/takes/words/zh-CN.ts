import type { Words } from '../../app/language.ts';

export const zhCN: Words['takes'] = {
  emptyTitle: '尚无录制',
  emptyText:
    '录制包含声音与面部动画。在“实时”中录下的内容保存在此，可在任意头像上播放并导出。也可拖入声音文件：WAV、MP3、FLAC、OGG 或 M4A。',
  live: '前往实时',
  fromFile: '使用声音文件',
  making: '正在由 {{name}} 生成录制',
  drop: '拖入声音文件以生成录制',
  name: '名称',
  position: '播放位置',
  play: '播放',
  pause: '暂停',
  space: '空格',
  speed: '速度',
  loop: '循环',
  export: '导出',
  formats: {
    livelink: 'Live Link Face CSV（附声音）',
    glb: '带动画的头像（GLB，附声音）',
    jsonl: 'JSON 行（附声音）',
  },
  reveal: '显示其文件夹',
  trash: '移到废纸篓',
  trashed: '“{{name}}”已移到废纸篓',
  unreadable: '无法读取此录制',
  recovered: '录制期间工作室意外结束。此处保留了当时已收到的内容。',
  tiers: { local: '内置引擎的面部', server: '服务器与内置引擎的面部' },
  latency: '声音到面部 P95 {{p95}}',
};
