/** Describes the direction of a head. */
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';

/** Degrees up to which a photo is one from the front. */
const front = 12;

/** @returns Words for degrees of yaw, to the person's left where positive; empty where nobody measured it. */
export function useDirectionWords(): (yaw: number | null) => string {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  return (yaw) => {
    if (yaw === null) return '';
    const degrees = figures.number(Math.round(Math.abs(yaw)));
    if (Math.abs(yaw) <= front) return t('people.front');
    return yaw > 0 ? t('people.turnedLeft', { degrees }) : t('people.turnedRight', { degrees });
  };
}
