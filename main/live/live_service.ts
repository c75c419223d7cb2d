import type { FaceService } from './audio_stream_client.ts';
import type { SessionUsage } from './session_meter.ts';

/** Extensions of a server that a voice makes use of. */
export interface Announced {
  streamWords: boolean;
  faceOptions: boolean;
}

/** One of the session's connections, ready to be spoken to. */
export interface LiveService {
  profileId: string;
  service: FaceService;
  words: { first: string; middle: string; last: string };
  /**
   * What the server announces; nothing where it does not answer, and then it is asked anew the next time.
   * @throws Failure where the connection is gone, or the built-in engine would not start
   */
  announced(): Promise<Announced>;
  usage(): SessionUsage | null;
}
