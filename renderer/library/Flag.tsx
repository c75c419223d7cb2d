import { IconFlagFilled, IconThumbDownFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ModelCard } from '#contract';
import classes from './Flag.module.css';

/** What was said of a head when it was looked through. */
export function Flag({ flag }: { flag: NonNullable<ModelCard['flag']> }) {
  const { t } = useTranslation('library');
  const Icon = flag === 'pick' ? IconFlagFilled : IconThumbDownFilled;
  return (
    <span className={classes.flag} data-flag={flag} role="img" aria-label={t(`flags.${flag}`)}>
      <Icon size={13} aria-hidden />
    </span>
  );
}
