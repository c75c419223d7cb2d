/**
 * Messages between the studio's process and the engine's: plain values over the fork's channel. Keys travel
 * only here, never on the command line or in the environment.
 */

import type { Both } from '@likeness/messages';

/** The service on a fixed port, for other programs on this machine. One key opens both groups. */
export interface ExternalListener {
  port: number;
  key: string;
}

/** The studio's first message. */
export interface StartMessage {
  kind: 'start';
  version: string;
  /** The engine's folder. Absolute path; created where it is missing. */
  folder: string;
  pathWord: string;
  accessToken: string;
  apiKey: string;
  external: ExternalListener | null;
  /** Some of `EngineLimits`, replacing the defaults. */
  limits: Record<string, number>;
}

export type MessageToEngine =
  | StartMessage
  /** Opens, moves or closes the fixed port; answered by `external` with the same number. */
  | { kind: 'external'; number: number; external: ExternalListener | null }
  /** A voice stream to any server starts or stops. */
  | { kind: 'yield'; isSpeaking: boolean }
  /** Answered at once by `pong`, unless the engine hangs. */
  | { kind: 'ping' }
  /** Finish and exit. */
  | { kind: 'stop' };

/** State of the fixed port. */
export interface ExternalState {
  /** The open port; null if none is open. */
  port: number | null;
  /** Why the port isn't open although it should be; otherwise empty. */
  problem: 'in_use' | 'not_allowed' | 'failed' | '';
}

export type MessageFromEngine =
  | { kind: 'ready'; port: number; external: ExternalState }
  | { kind: 'external'; number: number; external: ExternalState }
  | { kind: 'pong' }
  | { kind: 'load'; queued: number; running: number }
  | { kind: 'log'; level: 'info' | 'warning' | 'error'; message: string }
  /** It can't start or has to stop; sent before it exits. */
  | { kind: 'failed'; message: string; text: Both | null };
