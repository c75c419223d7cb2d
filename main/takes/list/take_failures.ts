import { say } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Take } from '#contract';

export const unreadableTake = ({ damaged }: Take): Failure =>
  new Failure('storage', say('takes.unreadable', { damaged }), { hint: say('takes.put_right') });

export const takeGone = (): Failure =>
  new Failure('not_found', say('takes.gone'), { hint: say('takes.look_again') });

export const beingRecorded = (): Failure =>
  new Failure('conflict', say('takes.being_recorded'), { hint: say('takes.stop_first') });
