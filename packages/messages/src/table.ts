/** Every sentence that main says to a person, by its key, in both languages. `{name}` is a value. */
import { batchMessages } from './batch.ts';
import { handOverMessages } from './cli_ipc.ts';
import { commandsMessages } from './commands.ts';
import { connectionsMessages } from './connections.ts';
import { formatsMessages } from './formats.ts';
import { generalMessages } from './general.ts';
import { glbFaultsMessages } from './glb_faults.ts';
import { keysMessages } from './keys.ts';
import { libraryMessages } from './library.ts';
import { photosMessages } from './photos.ts';
import { probeMessages } from './probe.ts';
import { headFailureMessages } from './refusals/head_failures.ts';
import { refusalMessages } from './refusals/refusals.ts';
import { serviceMessages } from './service.ts';
import { storageMessages } from './storage.ts';
import { studioMessages } from './studio.ts';
import { filmMessages } from './takes/films.ts';
import { scriptMessages } from './takes/scripts.ts';
import { sendMessages } from './takes/send.ts';
import { takeEditsMessages } from './takes/take_edits.ts';
import { takeScoreMessages } from './takes/take_score.ts';
import { takesMessages } from './takes/takes.ts';
import { updatesMessages } from './updates.ts';
import { upstreamMessages } from './upstream.ts';

export const table = {
  ...generalMessages,
  ...batchMessages,
  ...photosMessages,
  ...upstreamMessages,
  ...probeMessages,
  ...connectionsMessages,
  ...keysMessages,
  ...libraryMessages,
  ...storageMessages,
  ...serviceMessages,
  ...refusalMessages,
  ...headFailureMessages,
  ...takesMessages,
  ...scriptMessages,
  ...takeEditsMessages,
  ...takeScoreMessages,
  ...sendMessages,
  ...filmMessages,
  ...formatsMessages,
  ...glbFaultsMessages,
  ...handOverMessages,
  ...updatesMessages,
  ...studioMessages,
  ...commandsMessages,
};
