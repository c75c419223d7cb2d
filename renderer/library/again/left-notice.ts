import { useTranslation } from 'react-i18next';
import type { CallOutput } from '#contract';
import { notify } from '../../base/notices.tsx';

type Answer = CallOutput<'batch', 'makeAgain'>;

/** Why heads that were ordered again are not made, as sentences. */
export function useLeftSentences(): (answer: Answer) => string[] {
  const { t } = useTranslation('library');
  return ({ left, withoutPhoto, fewerPhotos }) => [
    ...left.map(({ reason, count }) =>
      t(`makeAgain.left.${reason}`, {
        count,
        names: withoutPhoto.join(', ') + (count > withoutPhoto.length ? ' …' : ''),
      }),
    ),
    ...(fewerPhotos.length > 0 ? [t('makeAgain.fewerPhotos', { names: fewerPhotos.join(', ') })] : []),
  ];
}

/** Says it where there is something to say; else the stage shows that the head is made. */
export function useLeftNotice(): (answer: Answer) => void {
  const sentences = useLeftSentences();
  return (answer) => {
    const [title, ...others] = sentences(answer);
    if (title !== undefined) notify({ level: 'warning', title, text: others.join(' ') });
  };
}
