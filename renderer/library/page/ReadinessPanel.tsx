import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Readiness } from '#contract';
import { asFailure } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { StateDot } from '../../ui/StateDot.tsx';
import { useReadiness } from '../library-queries.ts';
import classes from './ReadinessPanel.module.css';

/** The validator's numbers in words. */
const severities = ['error', 'warning', 'info', 'hint'] as const;

/** Whether a head can do what faces are driven with, and whether its file is sound. */
export function ReadinessPanel({ id }: { id: string }) {
  const { t } = useTranslation(['library', 'app']);
  const { data, error } = useReadiness(id);
  if (error) {
    const { message, hint } = asFailure(error);
    return (
      <div className={classes.panel}>
        <Callout tone="bad" title={message}>
          {hint}
        </Callout>
      </div>
    );
  }
  if (!data)
    return (
      <div className={classes.waiting}>
        <Loader size="sm" color="gray" role="status" aria-label={t('readiness.reading')} />
      </div>
    );
  return <Report readiness={data} />;
}

function Report({ readiness }: { readiness: Readiness }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const { arkit, visemes, tongue, eyeBones, validator, textures } = readiness;
  const pixels = textures.reduce((max, { width, height }) => Math.max(max, width, height), 0);
  return (
    <div className={classes.panel}>
      <ul className={classes.checks}>
        <Check
          good={arkit.missing.length === 0}
          label={t('readiness.arkit')}
          figure={t('readiness.of', { found: arkit.found, all: arkit.found + arkit.missing.length })}
          missing={arkit.missing}
        />
        <Check
          good={visemes.missing.length === 0}
          label={t('readiness.visemes')}
          figure={t('readiness.of', { found: visemes.found, all: visemes.found + visemes.missing.length })}
          missing={visemes.missing}
        />
        <Check
          good={tongue}
          label={t('readiness.tongue')}
          figure={tongue ? t('readiness.there') : t('readiness.missing')}
        />
        <Check
          good={eyeBones.length >= 2}
          label={t('readiness.eyeBones')}
          figure={eyeBones.length > 0 ? eyeBones.join(', ') : t('readiness.missing')}
        />
        <Check
          good={validator.errors === 0}
          label={t('readiness.validator')}
          figure={
            validator.errors + validator.warnings === 0
              ? t('readiness.valid')
              : `${t('readiness.errors', { count: validator.errors })}, ${t('readiness.warnings', { count: validator.warnings })}`
          }
        />
      </ul>
      <h2 className={classes.title}>{t('readiness.figures')}</h2>
      <Facts
        facts={[
          [t('readiness.triangles'), figures.number(readiness.triangles)],
          [t('readiness.vertices'), figures.number(readiness.vertices)],
          [t('readiness.meshes'), figures.number(readiness.meshes)],
          [t('readiness.materials'), figures.number(readiness.materials)],
          [
            t('readiness.textures'),
            textures.length > 0
              ? t('readiness.texturesUpTo', { count: textures.length, pixels: figures.number(pixels) })
              : '0',
          ],
          [t('fields.size'), figures.bytes(readiness.bytes)],
          ...(readiness.extensions.length > 0
            ? [[t('readiness.extensions'), readiness.extensions.join(', ')] as const]
            : []),
        ]}
      />
      {textures.length > 0 && (
        <>
          <h2 className={classes.title}>{t('readiness.textures')}</h2>
          <ul className={classes.textures}>
            {textures.map(({ name, mediaType, width, height }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: textures may lack names, and stay in their order
              <li key={at}>
                <span>{name || t('readiness.unnamed')}</span>
                <span className="figures">
                  {figures.number(width)} × {figures.number(height)}
                </span>
                <span>{mediaType.replace('image/', '')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {validator.messages.length > 0 && (
        <>
          <h2 className={classes.title}>{t('readiness.report', { version: validator.version })}</h2>
          <ul className={classes.messages}>
            {validator.messages.map(({ code, severity, message, pointer }) => (
              <li key={`${code} ${pointer}`}>
                <StateDot
                  tone={severity === 0 ? 'bad' : severity === 1 ? 'warn' : 'idle'}
                  label={t(`readiness.severities.${severities[severity] ?? 'hint'}`)}
                />
                <div>
                  <p>{message}</p>
                  <code>{pointer}</code>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Check(props: { good: boolean; label: string; figure: string; missing?: readonly string[] }) {
  const { t } = useTranslation('library');
  return (
    <li className={classes.check}>
      <StateDot
        tone={props.good ? 'good' : 'warn'}
        label={props.good ? t('readiness.good') : t('readiness.lacking')}
      />
      <span className={classes.label}>{props.label}</span>
      <span className={classes.figure}>{props.figure}</span>
      {props.missing && props.missing.length > 0 && (
        <p className={classes.missing}>{t('readiness.lacks', { names: props.missing.join(', ') })}</p>
      )}
    </li>
  );
}
