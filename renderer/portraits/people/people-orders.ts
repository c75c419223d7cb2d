/** Putting photos of one person together and taking them apart, with undo. */
import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import i18next from 'i18next';
import type { CallInput } from '#contract';
import { attempt, notify, offerUndo, withdrawUndo } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { boardSelection, type PhotoSelection } from '../board/board-list.ts';
import { undo } from '../tray/tagging.ts';

const words = () => i18next.getFixedT(null, 'portraits');

type People = CallInput<'batch', 'samePerson'>['people'];

/** Photos that are one person each. */
export function makePeople(people: People): void {
  attempt(async () => {
    const made = await studio.batch.samePerson({ people });
    boardSelection.clear();
    if (made.photos === 0) notify({ level: 'info', title: words()('unchanged'), text: '' });
    else offerUndo('portraits', words()('people.joined', { count: made.people, photos: made.photos }), undo);
  });
}

/** The chosen photos are one person: two to eight. */
export function samePerson(selection: PhotoSelection): void {
  const ids = 'ids' in selection ? selection.ids : [];
  if (ids.length < 2 || ids.length > maxPhotosPerPerson)
    notify({ level: 'info', title: words()('people.choose'), text: words()('people.chooseText') });
  else makePeople([{ ids }]);
}

/** Takes people apart, or one photo beside a front one out of its person. */
export function separate(selection: PhotoSelection): void {
  attempt(async () => {
    const { separated } = await studio.batch.separate({ selection });
    if (separated > 0) offerUndo('portraits', words()('people.separated', { count: separated }), undo);
    else notify({ level: 'info', title: words()('people.noneToSeparate'), text: '' });
  });
}

export function chooseFront(id: string): void {
  withdrawUndo('portraits');
  attempt(() => studio.batch.chooseFront({ id }));
}
