import { randomBytes, randomUUID } from 'node:crypto';
import { inEnglish } from '@likeness/messages';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { openSendStore } from '../send/send_store.ts';
import { Sending } from '../send/sending.ts';
import type { PagesOptions } from '../shell/pages.ts';
import { createPages } from '../shell/pages.ts';
import { editedTake } from '../takes/edited_take.ts';
import type { Takes } from '../takes/takes.ts';
import type { CoreServices } from './compose_core.ts';
import type { KnownHeads } from './known_heads.ts';

export interface SendingParts {
  core: CoreServices;
  takes: Takes;
  /** Folder of the built page for browser sources. */
  viewerFolder: string;
  asset: PagesOptions['asset'];
  heads: KnownHeads;
}

/** @throws Failure `storage` */
export async function composeSending({
  core,
  takes,
  viewerFolder,
  asset,
  heads,
}: SendingParts): Promise<Sending> {
  const { layout, log, scrub, emit } = core;
  const newToken = (): string => randomBytes(32).toString('base64url');
  const store = await openSendStore({
    path: layout.sendingFile,
    clock: Date.now,
    newToken,
    newDeviceId: randomUUID,
  });
  if (store.problem) log.warn(inEnglish(store.problem));
  return new Sending({
    store,
    clock: systemClock,
    soon: setImmediate,
    randomId: () => randomBytes(6).toString('hex'),
    newToken,
    keepSecret: (token) => scrub.know(token),
    take: (id) => editedTake(takes, id),
    pages: createPages({
      rendererFolder: viewerFolder,
      // Serves only the user's heads; photos and takes stay private.
      asset: async (kind, id) => (kind === 'model' || kind === 'default-head' ? asset(kind, id) : null),
    }),
    heads: {
      defaultHead: heads.defaultHead,
      drives: (modelId) => heads.drives({ modelId }),
    },
    onChanged: (state) => emit('send', 'changed', state),
  });
}
