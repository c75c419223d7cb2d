import { type Message, t } from '@likeness/messages';
import { builtInProfileId } from '#contract';
import type { JobRow } from './job_row.ts';

/** Messages about an order that was sent. */
interface OrderWords {
  cancelledAfterSubmit: Message;
  cancelledWhileSent: Message;
  cancelledUnanswered: Message;
  made(remoteModelId: string): Message;
  unknown(remoteModelId: string): Message;
}

const atServer: OrderWords = {
  cancelledAfterSubmit: t('batch.cancelled_after_submit'),
  cancelledWhileSent: t('batch.cancelled_while_sent'),
  cancelledUnanswered: t('batch.left_in_doubt'),
  made: (remoteModelId) => t('batch.model_paid', { remoteModelId }),
  unknown: (remoteModelId) => t('batch.model_unknown', { remoteModelId }),
};

/** The built-in engine costs nothing: do not mention money. */
const here: OrderWords = {
  cancelledAfterSubmit: t('batch.cancelled_in_making'),
  cancelledWhileSent: t('batch.cancelled_in_making'),
  cancelledUnanswered: '',
  made: () => t('batch.made_here'),
  unknown: () => t('batch.unknown_here'),
};

export const orderWords = ({ profileId }: Pick<JobRow, 'profileId'>): OrderWords =>
  profileId === builtInProfileId ? here : atServer;
