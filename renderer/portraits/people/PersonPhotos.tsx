import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconStar, IconStarFilled, IconUserMinus, IconUsersMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Photo, PhotoBeside } from '#contract';
import { useFigures } from '../../base/text/number-format.ts';
import { listedInWords } from '../../base/text/sentence-text.ts';
import { PhotoPicture } from '../PhotoPicture.tsx';
import { useFindingWords } from '../tray/finding-words.ts';
import classes from './PersonPhotos.module.css';
import { chooseFront, separate } from './people-orders.ts';

/** The photos of one person: which one leads, what was found on each, and the ways to change that. */
export function PersonPhotos({ photo }: { photo: Photo }) {
  const { t } = useTranslation('portraits');
  const { id, fileName, check, findings, yaw, others } = photo;
  return (
    <section className={classes.person} aria-label={t('people.title', { count: 1 + others.length })}>
      <p className={classes.title}>{t('people.title', { count: 1 + others.length })}</p>
      <p className={classes.quiet}>{t('people.text')}</p>
      <ul className={classes.photos}>
        <One photo={{ id, fileName, check, findings, yaw }} leads />
        {others.map((other) => (
          <One key={other.id} photo={other} />
        ))}
      </ul>
      <Button
        variant="default"
        leftSection={<IconUsersMinus size={15} />}
        onClick={() => separate({ ids: [id] })}
      >
        {t('people.separate')}
      </Button>
    </section>
  );
}

function One({ photo, leads = false }: { photo: PhotoBeside; leads?: boolean }) {
  const { t } = useTranslation('portraits');
  const words = useFindingWords();
  const direction = useDirectionWords();
  const { id, fileName, check, findings, yaw } = photo;
  const found = check === 'pending' ? t('checks.pending') : listedInWords(findings.map(words.name));
  const turned = direction(yaw);
  return (
    <li className={classes.photo} data-leads={leads || undefined}>
      <PhotoPicture id={id} />
      <div className={classes.words}>
        <p className={classes.name} title={fileName}>
          {fileName}
        </p>
        <p className={classes.quiet}>
          {[leads ? t('people.leads') : '', turned].filter(Boolean).join(' · ')}
        </p>
        {found && (
          <p className={classes.found} data-check={check}>
            {found}
          </p>
        )}
      </div>
      {leads ? (
        <IconStarFilled size={16} className={classes.star} aria-hidden />
      ) : (
        <>
          <Tooltip label={t('people.lead')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('people.leadNamed', { name: fileName })}
              onClick={() => chooseFront(id)}
            >
              <IconStar size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('people.takeOut')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('people.takeOutNamed', { name: fileName })}
              onClick={() => separate({ ids: [id] })}
            >
              <IconUserMinus size={16} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </li>
  );
}

/** Degrees up to which a photo is one from the front. */
const front = 12;

/** @returns Words for degrees of yaw, to the person's left where positive; empty where nobody measured it. */
function useDirectionWords(): (yaw: number | null) => string {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  return (yaw) => {
    if (yaw === null) return '';
    const degrees = figures.number(Math.round(Math.abs(yaw)));
    if (Math.abs(yaw) <= front) return t('people.front');
    return yaw > 0 ? t('people.turnedLeft', { degrees }) : t('people.turnedRight', { degrees });
  };
}
