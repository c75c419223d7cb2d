import type { Text } from '../http/language.ts';

/** Messages for models that failed, in both languages. */
export const noMaker: Text = {
  en: 'This engine can’t make heads: its portrait part is missing.',
  zh: '此引擎无法生成头部模型：缺少人像部件。',
};
export const cutOff = (times: number): Text => ({
  en: `The engine stopped ${times} times while it was making this head. Try another photo, or save this one again in an image program.`,
  zh: `生成此头部模型时引擎已中断 ${times} 次。请换一张照片，或用图像软件重新保存后再试。`,
});
const defect = (detail: Text): Text => ({
  en: `The engine failed while it was making this head: ${detail.en}.`,
  zh: `生成此头部模型时引擎出错：${detail.zh}。`,
});
export const photoGone = defect({
  en: 'the photo is no longer on disk; send it again',
  zh: '照片已不在磁盘上；请重新发送',
});
export const noStart = defect({ en: 'its portrait part did not start', zh: '人像部件未能启动' });
export const unexpected = defect({
  en: 'the cause is in its log. Another photo may work',
  zh: '原因见日志。可换一张照片重试',
});
