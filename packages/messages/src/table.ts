/** Every sentence that main says to a person, by its key, in both languages. `{name}` is a value. */
import { batchSentences } from './batch.ts';
import { commandsSentences } from './commands.ts';
import { connectionsSentences } from './connections.ts';
import { formatsSentences } from './formats.ts';
import { generalSentences } from './general.ts';
import { glbFaultsSentences } from './glb_faults.ts';
import { handOverSentences } from './hand_over.ts';
import { keysSentences } from './keys.ts';
import { librarySentences } from './library.ts';
import { photosSentences } from './photos.ts';
import { probeSentences } from './probe.ts';
import { headFailureMessages } from './refusals/head_failures.ts';
import { refusalMessages } from './refusals/refusals.ts';
import { serviceSentences } from './service.ts';
import { storageSentences } from './storage.ts';
import { studioSentences } from './studio.ts';
import { filmSentences } from './takes/films.ts';
import { scriptSentences } from './takes/scripts.ts';
import { sendSentences } from './takes/send.ts';
import { takeEditsSentences } from './takes/take_edits.ts';
import { takeScoreSentences } from './takes/take_score.ts';
import { takesSentences } from './takes/takes.ts';
import { updatesSentences } from './updates.ts';
import { upstreamSentences } from './upstream.ts';

export const table = {
  ...generalSentences,
  ...batchSentences,
  ...photosSentences,
  ...upstreamSentences,
  ...probeSentences,
  ...connectionsSentences,
  ...keysSentences,
  ...librarySentences,
  ...storageSentences,
  ...serviceSentences,
  ...refusalMessages,
  ...headFailureMessages,
  ...takesSentences,
  ...scriptSentences,
  ...takeEditsSentences,
  ...takeScoreSentences,
  ...sendSentences,
  ...filmSentences,
  ...formatsSentences,
  ...glbFaultsSentences,
  ...handOverSentences,
  ...updatesSentences,
  ...studioSentences,
  ...commandsSentences,
};
