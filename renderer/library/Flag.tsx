import { IconFlagFilled, IconThumbDownFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ModelCard } from '#contract';
import classes from './Flag.module.css';

/** The pick or reject flag of a head. */
export function Flag({ flag }: { flag: NonNullable<ModelCard['flag']> }) {
  const { t } = useTranslation('library');
  const Icon = flag === 'pick' ? IconFlagFilled : IconThumbDownFilled;
  return (
    <span className={classes.flag} data-flag={flag} role="img" aria-label={t(`flags.${flag}`)}>
      <Icon size={13} aria-hidden />
    </span>
  );
}
