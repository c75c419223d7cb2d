import type { CurveLag } from '@likeness/proto/takes/curve_lag.ts';
import type { FaceDifference } from '@likeness/proto/takes/face_difference.ts';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import { Facts } from '../../ui/Facts.tsx';
import classes from './CompareTakes.module.css';

/** Columns of a curve: more than it has pixels, mostly. */
const columns = 600;
/** Channels that are listed. */
const maxListed = 12;

/** By how much two faces differ: when, in which part of the face, in which channels, and which comes later. */
export function Difference({ difference }: { difference: FaceDifference }) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const { channels, regions, alone, jaw, lips } = difference;
  const highest = Math.max(0.05, ...[...regions.values()].map(max));
  const lag = (found: CurveLag | null): string => {
    if (!found) return t('compare.noLag');
    const ms = Math.round(Math.abs(found.lag) * 1000);
    const time = figures.milliseconds(ms);
    if (ms === 0) return t('compare.together', { r: found.r.toFixed(2) });
    return t(found.lag > 0 ? 'compare.later' : 'compare.earlier', { time, r: found.r.toFixed(2) });
  };
  return (
    <section className={classes.difference} aria-label={t('compare.difference')}>
      <div>
        <h2 className={classes.title}>{t('compare.difference')}</h2>
        {[...regions].map(([region, curve]) => (
          <div key={region} className={classes.region}>
            <span>{t(`compare.regions.${region as 'mouth'}`)}</span>
            <svg
              viewBox={`0 0 ${columns} 30`}
              preserveAspectRatio="none"
              role="img"
              aria-label={t('compare.most', { weight: figures.number(max(curve), 2) })}
            >
              <path d={areaOf(curve, highest)} />
            </svg>
            <span className={classes.number}>{figures.number(max(curve), 2)}</span>
          </div>
        ))}
        <p className={classes.quiet}>{t('compare.curves')}</p>
      </div>
      <div>
        <Facts
          facts={[
            [t('compare.jaw'), lag(jaw)],
            [t('compare.lips'), lag(lips)],
            ...channels
              .filter(({ rms }) => rms >= 0.0005)
              .slice(0, maxListed)
              .map(({ name, rms }) => [name, figures.number(rms, 3)] as const),
            ...(alone.length > 0 ? [[t('compare.alone'), alone.join(', ')] as const] : []),
          ]}
        />
        <p className={classes.quiet}>{t('compare.rms')}</p>
      </div>
    </section>
  );
}

function max(curve: Float32Array): number {
  let highest = 0;
  for (const value of curve) highest = Math.max(highest, value);
  return highest;
}

/** The highest value of each column, as an area over the line. */
function areaOf(curve: Float32Array, highest: number): string {
  const points = Array.from({ length: Math.min(columns, curve.length) }, (_, column) => {
    const from = Math.floor((column * curve.length) / Math.min(columns, curve.length));
    const end = Math.max(
      from + 1,
      Math.floor(((column + 1) * curve.length) / Math.min(columns, curve.length)),
    );
    const x = (column * columns) / Math.min(columns, curve.length);
    return `L${x.toFixed(1)} ${(29 - (28 * max(curve.subarray(from, end))) / highest).toFixed(1)}`;
  });
  return `M0 30${points.join('')}L${columns} 30Z`;
}
