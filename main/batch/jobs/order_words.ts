import { type Said, say } from '@likeness/messages';
import { builtInProfileId } from '#contract';
import type { JobRow } from './job_row.ts';

/** Messages about an order that was sent. */
interface OrderWords {
  cancelledAfterSubmit: Said;
  cancelledWhileSent: Said;
  cancelledUnanswered: Said;
  made(remoteModelId: string): Said;
  unknown(remoteModelId: string): Said;
}

const atServer: OrderWords = {
  cancelledAfterSubmit: say('batch.cancelled_after_submit'),
  cancelledWhileSent: say('batch.cancelled_while_sent'),
  cancelledUnanswered: say('batch.left_in_doubt'),
  made: (remoteModelId) => say('batch.model_paid', { remoteModelId }),
  unknown: (remoteModelId) => say('batch.model_unknown', { remoteModelId }),
};

/** The built-in engine costs nothing: no word of money. */
const here: OrderWords = {
  cancelledAfterSubmit: say('batch.cancelled_in_making'),
  cancelledWhileSent: say('batch.cancelled_in_making'),
  cancelledUnanswered: '',
  made: () => say('batch.made_here'),
  unknown: () => say('batch.unknown_here'),
};

export const orderWords = ({ profileId }: Pick<JobRow, 'profileId'>): OrderWords =>
  profileId === builtInProfileId ? here : atServer;
