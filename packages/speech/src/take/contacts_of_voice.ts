import { type ContactKind, contactPosterior, contactsHeard, frame, type LipContact } from './lip_contacts.ts';
import type { TakeVoice } from './take_voice.ts';

/** The contacts of a recording. A breath sounds like f and is none, but an f may begin as softly. */
export function contactsOfVoice(voice: TakeVoice, kind: ContactKind, threshold: number): LipContact[] {
  const heard = contactsHeard(contactPosterior(voice, kind), threshold);
  return kind === 'teeth' ? heard.filter((contact) => !isFaint(voice, contact)) : heard;
}

/** Whether nothing in a contact is loud enough for speech. */
const isFaint = ({ faint }: TakeVoice, { start, end }: LipContact): boolean =>
  faint.subarray(Math.round(start / frame), Math.round(end / frame)).every((one) => one === 1);
