import { type ContactKind, contactPosterior, contactsHeard, frame, type LipContact } from './lip_contacts.ts';
import type { TakeVoice } from './take_voice.ts';

/**
 * Returns the contacts of a recording. A breath sounds like f without a contact, while an f may begin as
 * softly.
 */
export function contactsOfVoice(voice: TakeVoice, kind: ContactKind, threshold: number): LipContact[] {
  const heard = contactsHeard(contactPosterior(voice, kind), threshold);
  return kind === 'teeth' ? heard.filter((contact) => !isFaint(voice, contact)) : heard;
}

/** Whether a contact is nowhere loud enough for speech. */
const isFaint = ({ faint }: TakeVoice, { start, end }: LipContact): boolean =>
  faint.subarray(Math.round(start / frame), Math.round(end / frame)).every((one) => one === 1);
