/**
 * Where a user's message holds what. Paths are field names joined by dots, as the `.proto` spells them;
 * a path may lead through repeated messages and maps (`shapes.key`, `shapes.value`), whose values are
 * then taken in order. An empty path means that the stream hasn't got it.
 */
export interface UserSchemaMapping {
  /** The message that the body consists of: its full name, or its last part where that is unique. */
  readonly message: string;
  /** `length-delimited`: a varint length before each message; `single`: the body is one message. */
  readonly framing: 'length-delimited' | 'single';
  /** Path of the repeated message that is one frame. Empty: each message with weights is a frame. */
  readonly frames: string;
  /** Path, within the frame, of its weights: float or double. May be empty if `vertices` isn't. */
  readonly weights: string;
  /** Path, within the frame, of its time code: any number. Empty: frames are `1 / frameRate` s apart. */
  readonly timeCode: string;
  readonly timeCodeUnit: 'seconds' | 'milliseconds' | 'microseconds' | 'frames';
  /** Path, within the message, of the channel names: strings. Empty: `channels` has them. */
  readonly names: string;
  /** Channel names by position, for a stream that doesn't carry them. */
  readonly channels: readonly string[];
  /** Frames per second, hertz. */
  readonly frameRate: number;
  /** Path, within the frame, of vertex positions x y z in metres: float or double. Default none. */
  readonly vertices?: string;
  /** Path, within the message, of triangle indices: an integer type. Default none. */
  readonly triangles?: string;
  /** Path, within the message, of a text that says what failed. Not empty: the stream ends as an error. */
  readonly errorMessage?: string;
  /** Server's channel names to ours, such as `JawOpen` to `jawOpen`. */
  readonly renames?: Readonly<Record<string, string>>;
  /**
   * Meaning of time code 0: the start of the audio, or (for clock times) the first frame. Default `audio`.
   */
  readonly timeCodeOrigin?: 'audio' | 'first-frame';
}

/** Everything that can be wrong with a user's `.proto` or its mapping. */
export type UserSchemaErrorCode =
  | 'proto_too_large'
  | 'proto_unreadable'
  | 'import_missing'
  | 'message_missing'
  | 'message_ambiguous'
  | 'field_missing'
  | 'field_wrong_type'
  | 'mapping_incomplete';

/** A user's `.proto` or mapping can't be used; `message` says what to change, in words for its author. */
export class UserSchemaError extends Error {
  override readonly name = 'UserSchemaError';
  readonly code: UserSchemaErrorCode;
  /** The entry of the mapping that is at fault, or `proto` for the text itself. */
  readonly entry: keyof UserSchemaMapping | 'proto';

  constructor(code: UserSchemaErrorCode, entry: keyof UserSchemaMapping | 'proto', message: string) {
    // The text quotes names of the user's .proto, which may be of any length.
    super(message.length > maxErrorLength ? `${message.slice(0, maxErrorLength)}…` : message);
    this.code = code;
    this.entry = entry;
  }
}

const maxErrorLength = 1000;
