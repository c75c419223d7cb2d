import { UnstyledButton } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './Stars.module.css';

/** One to five stars; the last given star once more takes them all away. */
export function Stars({ rating, onRate }: { rating: number; onRate: (rating: number) => void }) {
  const { t } = useTranslation('library');
  return (
    <div className={classes.stars} role="toolbar" aria-label={t('fields.rating')}>
      {[1, 2, 3, 4, 5].map((star) => {
        const Icon = star <= rating ? IconStarFilled : IconStar;
        return (
          <UnstyledButton
            key={star}
            aria-label={t('stars', { count: star })}
            aria-pressed={star === rating}
            className={classes.star}
            data-on={star <= rating || undefined}
            onClick={() => onRate(star === rating ? 0 : star)}
          >
            <Icon size={17} stroke={1.5} aria-hidden />
          </UnstyledButton>
        );
      })}
    </div>
  );
}
