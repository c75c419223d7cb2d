import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Take } from '#contract';

export const unreadableTake = ({ damaged }: Take): Failure =>
  new Failure('storage', t('takes.unreadable', { damaged }), { hint: t('takes.put_right') });

export const takeGone = (): Failure =>
  new Failure('not_found', t('takes.gone'), { hint: t('takes.look_again') });

export const beingRecorded = (): Failure =>
  new Failure('conflict', t('takes.being_recorded'), { hint: t('takes.stop_first') });
