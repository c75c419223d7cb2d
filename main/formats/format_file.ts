/** A file that a head becomes. */
export interface FormatFile {
  /** Without folders. */
  name: string;
  data: Uint8Array;
}
