import type { PlayableFace } from '../../take_stream.ts';
import { type Contact, contactsOf } from '../closures.ts';

const contacts = new WeakMap<PlayableFace, readonly Contact[]>();

/** Contacts of a face; found once. */
export function knownContacts(face: PlayableFace): readonly Contact[] {
  const found = contacts.get(face) ?? contactsOf(face);
  contacts.set(face, found);
  return found;
}
