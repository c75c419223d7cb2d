import { changed, inEnglish, type Message } from '@likeness/messages';
import type { JournalEntry } from './journal_entry.ts';
import type { CallRecord } from './metered_call.ts';

/** Maximum characters of a text in an entry: a message is a reason, not a body. */
const longest = { profileId: 64, profileName: 80, operation: 40, subject: 200, message: 500, currency: 3 };

/**
 * Cleans the content of an entry: removes secrets, bodies, and values that storing and reading would change.
 */
export class EntryCleaner {
  readonly #scrub: (text: string) => string;

  /** @param scrub - Removes secrets from texts. */
  constructor(scrub: (text: string) => string) {
    this.#scrub = scrub;
  }

  /** @param now - Milliseconds since 1970, used if the call has no time. */
  entry(call: CallRecord, now: number): Omit<JournalEntry, 'sequence' | 'kind' | 'hash'> {
    return {
      at: whole(call.at ?? now),
      profileId: this.#text(call.profileId, longest.profileId),
      operation: this.#text(call.operation, longest.operation),
      ...this.names(call),
      outcome: call.outcome,
      httpStatus: call.httpStatus === null ? null : whole(call.httpStatus),
      envelopeCode: Number.isFinite(call.envelopeCode) ? call.envelopeCode : null,
      message: this.#text(inEnglish(call.message), longest.message),
      bytesSent: whole(call.bytesSent),
      bytesReceived: whole(call.bytesReceived),
      firstByteMs: call.firstByteMs === null ? null : amount(call.firstByteMs),
      totalMs: amount(call.totalMs),
      billedSeconds: amount(call.billedSeconds),
      billedFrames: amount(call.billedFrames),
      billedModels: amount(call.billedModels),
      cost: amount(call.cost),
      currency: call.currency.slice(0, longest.currency),
    };
  }

  /** The names that a reservation stores for its later entry. */
  names({ profileName, subject }: Pick<CallRecord, 'profileName' | 'subject'>): {
    profileName: string;
    subject: string;
  } {
    return {
      profileName: this.#text(profileName, longest.profileName),
      subject: this.#text(subject, longest.subject),
    };
  }

  /** The message with every text in it cleaned, for the column beside its English. */
  message(message: Message): Message {
    return changed(message, (text) => this.#text(text, longest.message));
  }

  #text(text: string, max: number): string {
    const plain = this.#scrub(text)
      .toWellFormed()
      // A long run like this is encoded data, in the worst case a photo or sound; an error message has no
      // base64.
      .replace(/[A-Za-z0-9+/_-]{160,}={0,2}/g, (run) => `[${run.length} characters of data]`)
      .replace(/[\s\p{Cc}]+/gu, ' ');
    if (plain.length <= max) return plain;
    const cut = plain.slice(0, max - 1).toWellFormed();
    return `${cut.replace(/\ufffd$/, '')}…`;
  }
}

function amount(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0;
}

function whole(value: number): number {
  return Math.round(Math.min(amount(value), Number.MAX_SAFE_INTEGER));
}
