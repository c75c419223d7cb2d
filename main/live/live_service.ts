import type { FaceService } from './audio_stream_client.ts';
import type { SessionUsage } from './session_meter.ts';

/** Server extensions that live audio uses. */
export interface Announced {
  streamWords: boolean;
  faceOptions: boolean;
}

/** One of the session's connections, ready for audio. */
export interface LiveService {
  profileId: string;
  service: FaceService;
  words: { first: string; middle: string; last: string };
  /**
   * Returns the server's announced capabilities; none if it does not answer, and then the next call asks
   * again.
   * @throws Failure if the connection was deleted, or the built-in engine did not start
   */
  announced(): Promise<Announced>;
  usage(): SessionUsage | null;
}
