import { UnstyledButton } from '@mantine/core';
import { useRovingIndex } from '@mantine/hooks';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Stars.module.css';

/**
 * One to five stars, as radio buttons: one tab stop, and arrow keys change the rating. The given star once more
 * clears it.
 */
export function Stars({ rating, onRate }: { rating: number; onRate: (rating: number) => void }) {
  const { t } = useTranslation('library');
  const [last, setLast] = useState(0);
  const { getItemProps } = useRovingIndex({
    total: 5,
    orientation: 'both',
    activateOnFocus: true,
    focusedIndex: rating > 0 ? rating - 1 : last,
    onFocusChange: setLast,
  });
  return (
    <div className={classes.stars} role="radiogroup" aria-label={t('fields.rating')}>
      {[1, 2, 3, 4, 5].map((star) => {
        const Icon = star <= rating ? IconStarFilled : IconStar;
        return (
          <UnstyledButton
            key={star}
            role="radio"
            aria-label={t('stars', { count: star })}
            aria-checked={star === rating}
            className={classes.star}
            data-on={star <= rating || undefined}
            {...getItemProps({ index: star - 1, onClick: () => onRate(star === rating ? 0 : star) })}
          >
            <Icon size={17} stroke={1.5} aria-hidden />
          </UnstyledButton>
        );
      })}
    </div>
  );
}
