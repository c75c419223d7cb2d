/**
 * The border between the studio (main) and the page (renderer): one table of all calls, events and streams,
 * with zod schemas for input and output. Each room's part, with its records, is a file in `contract/`.
 *
 * Everything else derives from it: the renderer's types (`StudioApi`), the bridge's names (`contractNames`),
 * the handlers' types (`Handlers`), the validation in `main/ipc`. A call that is not in this table does not
 * exist.
 *
 * Outputs are validated too, and unknown fields are dropped, so that a handler that returns too much (a key,
 * a path) leaks nothing.
 *
 * The page imports only types from here. Values come from `contract/constants.ts` and the other files without
 * zod (`test/preload/page_without_zod.test.ts`), which keeps schemas out of the page's bundle.
 */

import type { z } from 'zod';
import { appRoom } from './contract/app.ts';
import { batchRoom } from './contract/batch.ts';
import type { Room } from './contract/call.ts';
import { connectionsRoom } from './contract/connections.ts';
import { engineRoom } from './contract/engine.ts';
import { journalRoom } from './contract/journal.ts';
import { libraryRoom } from './contract/library.ts';
import { liveRoom } from './contract/live.ts';
import { namesRoom } from './contract/names.ts';
import { sendRoom } from './contract/send/send_room.ts';
import type { StudioError } from './contract/studio_error.ts';
import { takeEditsRoom } from './contract/takes/take_edits.ts';
import { takeExportsRoom } from './contract/takes/take_exports.ts';
import { takesRoom } from './contract/takes/takes.ts';
import { videoRoom } from './contract/takes/video.ts';

export * from './contract/app.ts';
export * from './contract/board.ts';
export * from './contract/connections.ts';
export * from './contract/constants.ts';
export * from './contract/engine.ts';
export * from './contract/export_presets.ts';
export * from './contract/jobs.ts';
export * from './contract/journal.ts';
export * from './contract/library.ts';
export * from './contract/live.ts';
export * from './contract/models.ts';
export * from './contract/names.ts';
export * from './contract/new_profile.ts';
export * from './contract/photos.ts';
export * from './contract/profile.ts';
export * from './contract/send/send_constants.ts';
export * from './contract/send/send_room.ts';
export * from './contract/studio_error.ts';
export * from './contract/takes/take_constants.ts';
export * from './contract/takes/take_edits.ts';
export * from './contract/takes/take_score.ts';
export * from './contract/takes/takes.ts';
export * from './contract/takes/video.ts';

export const contract = {
  app: appRoom,
  connections: connectionsRoom,
  journal: journalRoom,
  engine: engineRoom,
  batch: batchRoom,
  names: namesRoom,
  library: libraryRoom,
  live: liveRoom,
  takes: takesRoom,
  takeEdits: takeEditsRoom,
  send: sendRoom,
  video: videoRoom,
  takeExports: takeExportsRoom,
} as const satisfies Record<string, Room>;

export type Contract = typeof contract;
export type RoomName = keyof Contract;
type Calls<R extends RoomName> = Contract[R]['calls'];
type Events<R extends RoomName> = Contract[R]['events'];
type Streams<R extends RoomName> = Contract[R]['streams'];
type InputOf<C> = C extends { in: infer I extends z.ZodType } ? z.input<I> : never;
type ParsedInputOf<C> = C extends { in: infer I extends z.ZodType } ? z.output<I> : never;
type OutputOf<C> = C extends { out: infer O extends z.ZodType } ? z.output<O> : never;
type HandlerOutputOf<C> = C extends { out: infer O extends z.ZodType } ? z.input<O> : never;
export type CallInput<R extends RoomName, C extends keyof Calls<R>> = InputOf<Calls<R>[C]>;

export type CallOutput<R extends RoomName, C extends keyof Calls<R>> = OutputOf<Calls<R>[C]>;

export type EventPayload<R extends RoomName, E extends keyof Events<R>> = Events<R>[E] extends z.ZodType
  ? z.output<Events<R>[E]>
  : never;

/** A duplex of binary messages, seen from either side. */
export interface StudioStream {
  send(message: Uint8Array): void;
  /** Called for each message from the other side, in order. */
  onMessage(listener: (message: Uint8Array) => void): void;
  /** Called once, when either side closes it; with the error if it failed. */
  onClose(listener: (error?: StudioError) => void): void;
  close(): void;
}

type CallFunction<C> =
  undefined extends InputOf<C> ? () => Promise<OutputOf<C>> : (input: InputOf<C>) => Promise<OutputOf<C>>;

/**
 * The renderer's API: `studio.connections.list()`, `studio.journal.onAppended(listener)`,
 * `studio.live.open(options)`.
 */
export type StudioApi = {
  [R in RoomName]: { [C in keyof Calls<R>]: CallFunction<Calls<R>[C]> } & {
    /**
     * A subscription returns a function that ends it: the bridge changes a listener's identity, so it can't
     * be removed by passing it again.
     */
    [E in keyof Events<R> as `on${Capitalize<E & string>}`]: (
      listener: (payload: EventPayload<R, E>) => void,
    ) => () => void;
  } & { [S in keyof Streams<R>]: (options: InputOf<Streams<R>[S]>) => Promise<StudioStream> };
};

/** Main's implementation: one handler per call, one per stream. Inputs are already parsed. */
export type Handlers = {
  [R in RoomName]: {
    [C in keyof Calls<R>]: (
      input: ParsedInputOf<Calls<R>[C]>,
    ) => Promise<HandlerOutputOf<Calls<R>[C]>> | HandlerOutputOf<Calls<R>[C]>;
  } & {
    [S in keyof Streams<R>]: (
      options: ParsedInputOf<Streams<R>[S]>,
      stream: StudioStream,
    ) => Promise<void> | void;
  };
};

/** Sends an event from a room of main to the page. */
export type Emit = <R extends RoomName, E extends keyof Events<R> & string>(
  room: R,
  event: E,
  payload: EventPayload<R, E>,
) => void;

/** Names only, for the bridge: it carries no schemas, so that the preload stays small. */
export interface ContractNames {
  [room: string]: { calls: string[]; events: string[]; streams: string[] };
}
export const contractNames: ContractNames = Object.fromEntries(
  Object.entries(contract).map(([room, { calls, events, streams }]) => [
    room,
    { calls: Object.keys(calls), events: Object.keys(events), streams: Object.keys(streams) },
  ]),
);
