import { z } from 'zod';
import { call, nothing, type Room } from '../call.ts';
import { id } from '../fields.ts';
import { Message } from '../studio_error.ts';
import { receiverKinds, sendKinds, sendNames, sendRates, viewerFramings } from './send_constants.ts';

/** A host as it was typed: a name, or an address of IPv4 or IPv6. */
const address = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9._:%-]+$/, 'a host name or an IP address');
const port = z.number().int().min(1).max(65_535);
const rate = z.union([z.literal(sendRates[0]), ...sendRates.slice(1).map((value) => z.literal(value))]);

/** Where faces are sent to, as the person typed it. */
export const SendTargetFields = z.object({
  kind: z.enum(sendKinds),
  address,
  port,
  /** Frames a second. */
  rate,
  /** The names of the channels, where the protocol leaves them open (VMC). */
  names: z.enum(sendNames),
  /** Nothing is sent while it is off. */
  on: z.boolean(),
});
export type SendTargetFields = z.output<typeof SendTargetFields>;

const Traffic = {
  packets: z.number().int(),
  perSecond: z.number(),
  /** Why it does not work; empty where it does, or is off. */
  problem: Message,
};

const SendTarget = SendTargetFields.extend({
  id,
  ...Traffic,
  /** Packets that this machine or that one would not take. */
  dropped: z.number().int(),
});
export type SendTarget = z.output<typeof SendTarget>;

const Receiver = z.object({
  kind: z.enum(receiverKinds),
  on: z.boolean(),
  port: z.number().int(),
  /** Also other machines of the network are heard: only where the person chose it. */
  network: z.boolean(),
  ...Traffic,
  /** Datagrams that were none of the protocol, or of a second sender. */
  refused: z.number().int(),
  /** Address and name of who is heard; empty before the first. */
  heardFrom: z.string(),
});
export type Receiver = z.output<typeof Receiver>;

/** How the page for OBS and other browser sources shows the head. */
export const viewerLookFields = z.object({
  /** Null: the default head. */
  modelId: id.nullable(),
  /** `none` is transparent. */
  background: z.union([z.literal('none'), z.string().regex(/^#[0-9a-f]{6}$/)]),
  framing: z.enum(viewerFramings),
  mirror: z.boolean(),
});
export type ViewerAppearance = z.output<typeof viewerLookFields>;

export const SendState = z.object({
  targets: z.array(SendTarget),
  viewers: z.object({
    on: z.boolean(),
    port: z.number().int(),
    look: viewerLookFields,
    /** The page for a browser source; empty while it is off. */
    pageUrl: z.string(),
    /** The WebSocket for scripts; empty while it is off. */
    socketUrl: z.string(),
    watching: z.number().int(),
    problem: Message,
  }),
  receivers: z.array(Receiver),
  /** The take that is sent; null: the live face, where there is one. */
  playing: z
    .object({
      takeId: id,
      seconds: z.number(),
      length: z.number(),
      loop: z.boolean(),
      /** Where it is, is where a page's player is. */
      follows: z.boolean(),
    })
    .nullable(),
  /** A face is there to be sent. */
  hasFace: z.boolean(),
});
export type SendState = z.output<typeof SendState>;

const playedSeconds = z.number().min(0).max(86_400);

export const sendRoom = {
  calls: {
    state: call(nothing, SendState),
    /** At most 16. */
    addTarget: call(SendTargetFields, SendState),
    changeTarget: call(z.object({ id, changes: SendTargetFields.partial().strict() }), SendState),
    removeTarget: call(z.object({ id }), SendState),
    /** Sends two seconds of an opening mouth, to this target alone. */
    testTarget: call(z.object({ id }), z.object({ packets: z.number().int(), dropped: z.number().int() })),
    /** Opens and closes the page and the socket on 127.0.0.1. */
    changeViewers: call(
      z.object({ on: z.boolean(), port, look: viewerLookFields.partial().strict() }).partial().strict(),
      SendState,
    ),
    /** Addresses that were given away open nothing any more. */
    renewViewerTokens: call(nothing, SendState),
    /** Off again whenever the studio starts. */
    receive: call(
      z.object({ kind: z.enum(receiverKinds), on: z.boolean(), port, network: z.boolean() }),
      SendState,
    ),
    /** Sends a take instead of the live face, from `seconds` on; one that follows waits there to be moved. */
    playTake: call(
      z.object({
        id,
        seconds: playedSeconds.default(0),
        loop: z.boolean().default(false),
        follow: z.boolean().default(false),
      }),
      SendState,
    ),
    /**
     * Where the player is in seconds that play, and how fast it goes on from there; 0: it stands still. False: what
     * is sent does not follow this take's player, or no longer.
     */
    movePlayed: call(z.object({ id, seconds: playedSeconds, speed: z.number().min(0).max(16) }), z.boolean()),
    stopTake: call(nothing, SendState),
  },
  events: {
    /** Twice a second while something goes to and fro, and after each change. */
    changed: SendState,
  },
  streams: {
    /**
     * The face of a tracker that is received, to the page: messages of the face stream, a header first.
     */
    tracked: { in: z.object({}) },
  },
} as const satisfies Room;
