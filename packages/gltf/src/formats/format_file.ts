/** A file of an exported head. */
export interface FormatFile {
  /** Without folders. */
  name: string;
  data: Uint8Array;
}
