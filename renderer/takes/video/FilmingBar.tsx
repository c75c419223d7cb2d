import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import classes from '../Takes.module.css';
import { filming, stopFilm } from './filming.ts';

/** How far the film is that is being made, and how long it takes still. */
export function FilmingBar() {
  const { t } = useTranslation(['takes', 'app']);
  const { number } = useFigures();
  const now = filming.use();
  if (!now) return null;
  const { name, position, count, done, frames, secondsLeft } = now;
  const what = t('takes:film.making', { name });
  return (
    <div className={classes.making} role="status">
      <span>
        {what}
        {count > 1 &&
          ` · ${t('takes:film.position', { position: number(position, 0), films: number(count, 0) })}`}
        {frames > 0 && ` · ${t('takes:film.done', { done: number(done, 0), frames: number(frames, 0) })}`}
        {secondsLeft !== null && ` · ${t('takes:film.left', { time: clock(secondsLeft) })}`}
      </span>
      <Progress aria-label={what} value={frames > 0 ? (done / frames) * 100 : 0} />
      <Button variant="default" onClick={stopFilm}>
        {t('app:actions.cancel')}
      </Button>
    </div>
  );
}

/** Minutes and seconds; rounded up, so that it does not stand at nothing. */
const clock = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};
