/**
 * How a browser page authenticates to its studio, and how much it may send at once; both ends must agree on
 * this.
 */

/**
 * WebSocket subprotocol of the studio. Beside it a page offers its session's secret, which the studio never
 * answers with: `Sec-WebSocket-Protocol: likeness, <secret>`.
 */
export const pageProtocol = 'likeness';
/** Header that carries the session's secret where a page asks by HTTP. */
export const pageHeader = 'likeness-session';
/** Where a page keeps its `PageSession` in sessionStorage, which knows ports as cookies do not. */
export const pageStorageKey = 'likeness.session';

/** The answer of `/enter`. It is useless without the cookie that comes with it. */
export interface PageSession {
  /** Name of the page in Settings. */
  id: string;
  secret: string;
  /** Path before an asset's own; it works as long as the session. */
  assets: string;
}

const mebibyte = 1024 * 1024;
/** Bytes, as UTF-8, of one call's JSON. The largest valid input of every call of the contract fits. */
export const maxCallBytes = 64 * mebibyte;
/** Bytes of one message of a stream. */
export const maxStreamBytes = 16 * mebibyte;
