import { Button, Group } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBan,
  IconCrop,
  IconHandClick,
  IconScissors,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Photo, PhotoFinding } from '#contract';
import { go } from '../../base/route.ts';
import { useFigures } from '../../base/text/number-format.ts';
import classes from './Findings.module.css';
import { cropMayHelp, useFindingWords } from './finding-words.ts';
import { tag } from './tagging.ts';

/**
 * Results of the local check of one photo: the reason, the measured value against its limit, and a better
 * crop.
 */
export function Findings({ photo, onCrop }: { photo: Photo; onCrop: () => void }) {
  const { t } = useTranslation('portraits');
  const { id, check, findings, crop, suggestedCrop, corrections } = photo;
  const stopping = findings.filter(({ severity }) => severity === 'blocking');
  /** Expected flaws of a head that is made anyway; empty if it can't be made. */
  const expected = stopping.every((finding) => finding.anyway)
    ? [...new Set(stopping.flatMap((finding) => finding.anyway ?? []))]
    : [];
  const unclear = findings.some(({ code }) => code === 'uncertain_outline');
  return (
    <div className={classes.findings}>
      {check === 'pending' && <p className={classes.quiet}>{t('checking')}</p>}
      {check === 'ok' && findings.length === 0 && <p className={classes.good}>{t('checkedFine')}</p>}
      {corrections && <p className={classes.quiet}>{t('outline.corrected')}</p>}
      {findings.length > 0 && (
        <ul>
          {findings.map((finding) => (
            <Finding key={finding.code} finding={finding} />
          ))}
        </ul>
      )}
      {expected.length > 0 && photo.anyway && (
        <p className={classes.quiet}>
          {t('anyway.chosen', {
            what: expected.map((one) => t(`anyway.expect.${one}`)).join(t('anyway.and')),
          })}
        </p>
      )}
      <Group gap={8}>
        {expected.length > 0 && (
          <Button
            variant="default"
            h="auto"
            mih={30}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
            leftSection={photo.anyway ? <IconArrowBackUp size={15} /> : <IconHandClick size={15} />}
            onClick={() => tag({ ids: [id] }, { anyway: !photo.anyway })}
          >
            {photo.anyway
              ? t('anyway.leave')
              : t('anyway.try', {
                  what: expected.map((one) => t(`anyway.expect.${one}`)).join(t('anyway.and')),
                })}
          </Button>
        )}
        {check !== 'pending' && check !== 'blocked' && (
          <Button
            variant="default"
            leftSection={<IconScissors size={15} />}
            onClick={() => go('portraits', 'outline', id)}
          >
            {unclear ? t('outline.open') : t('outline.correct')}
          </Button>
        )}
        {suggestedCrop && !crop && cropMayHelp(findings) && (
          <Button
            variant="default"
            leftSection={<IconCrop size={15} />}
            onClick={() => tag({ ids: [id] }, { crop: suggestedCrop })}
          >
            {t('useCrop')}
          </Button>
        )}
        {check !== 'pending' && photo.width > 0 && (crop || cropMayHelp(findings)) && (
          <Button variant="default" leftSection={<IconCrop size={15} />} onClick={onCrop}>
            {t('crop.open')}
          </Button>
        )}
        {crop && (
          <Button
            variant="default"
            leftSection={<IconCrop size={15} />}
            onClick={() => tag({ ids: [id] }, { crop: null })}
          >
            {t('wholePhoto')}
          </Button>
        )}
      </Group>
    </div>
  );
}

function Finding({ finding }: { finding: PhotoFinding }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const { code, severity, figure, limit, unit } = finding;
  const written = (value: number): string =>
    unit === 'faces'
      ? t('faces', { count: value })
      : `${figures.number(value, Math.abs(value) < 10 ? 2 : 0)}${unit === '°' || unit === '' ? unit : ` ${unit}`}`;
  const words = useFindingWords();
  const isOver = code === 'turned_too_far' && severity === 'blocking';
  const Icon = severity === 'blocking' ? IconBan : IconAlertTriangle;
  return (
    <li className={classes.finding} data-severity={severity}>
      <Icon size={16} stroke={1.7} aria-label={t(`severities.${severity}`)} />
      <div>
        <p className={classes.name}>{words.name(finding)}</p>
        <p className={classes.quiet}>
          {words.text(finding)}{' '}
          {figure !== null &&
            limit !== null &&
            t(isOver ? 'figureOver' : 'figure', {
              figure: written(figure),
              limit: written(limit),
              over: written(figure - limit),
            })}
        </p>
      </div>
    </li>
  );
}
