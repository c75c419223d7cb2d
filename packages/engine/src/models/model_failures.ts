import { type Both, inBoth, t } from '@likeness/messages';

/** Messages for models that failed, in both languages. */
export const noMaker = (): Both => inBoth(t('refusal.no_portrait_part'));
export const cutOff = (times: number): Both => inBoth(t('refusal.cut_off', { times }));
export const photoGone = (): Both => inBoth(t('refusal.photo_gone'));
export const noStart = (): Both => inBoth(t('refusal.no_start'));
export const unexpected = (): Both => inBoth(t('refusal.unexpected'));
