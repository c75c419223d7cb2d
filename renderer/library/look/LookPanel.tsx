import { type GlassesChoice, glassesChoices } from '@likeness/proto/heads/glasses.ts';
import { type HairStyle, hairStyles } from '@likeness/proto/heads/hair_style.ts';
import {
  defaultHeadOptions,
  type HeadOptions,
  headOptionBounds,
} from '@likeness/proto/heads/head_options.ts';
import { SegmentedControl, Slider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, Model } from '#contract';
import { useFigures } from '../../base/text/number-format.ts';
import { canPreview } from '../../viewer/look/can-preview.ts';
import { type HeadPreview, useHeadPreview, usePreparedPreview } from './head-preview.ts';
import classes from './Look.module.css';
import { LookFoot } from './LookFoot.tsx';
import { LookQuestion } from './LookQuestion.tsx';
import { changeDraft, endChange, type LookDraft, show, useDraft } from './look-state.ts';
import { Swatches } from './Swatches.tsx';

const hairColours = ['#1c1613', '#3d261c', '#7a4f2c', '#c0924f', '#8c8c8c', '#6e3119'] as const;
const eyeColours = ['#57795d', '#5b82a8', '#70492b', '#3b271b', '#82908f', '#3b6b53'] as const;
const shirtColours = ['#2f3a48', '#1d2021', '#e8eced', '#7a2b33', '#3f5b45', '#8a7357'] as const;

/** A draft, and whether the stage shows it. */
interface ShownDraft extends LookDraft {
  preview: HeadPreview['state'];
}

/** Options of a head’s look. The stage previews them. */
export function LookPanel(props: {
  model: Model;
  job: Job | undefined;
  /** The head is drawn. */
  isStaged: boolean;
}) {
  const { model, job } = props;
  const { t } = useTranslation('library');
  const edited = useDraft(model);
  const prepare = usePreparedPreview(model, props.isStaged && edited.changed.length === 0);
  const draft = { ...edited, preview: useHeadPreview(model, edited).state };
  const set = (changes: HeadOptions): void => {
    changeDraft(model, { ...draft.wanted, ...changes });
    show(model.id, { before: null, isNew: false });
  };
  return (
    <>
      {/* A drag, or a held arrow key, is one change. */}
      <div
        className={classes.sections}
        onPointerEnter={prepare}
        onPointerDownCapture={endChange}
        onKeyDownCapture={({ repeat }) => repeat || endChange()}
      >
        <LookQuestion model={model} draft={draft} set={set} />
        <Hair draft={draft} set={set} />
        <Section title={t('headLook.skin')} draft={draft} names={['evenness', 'light']}>
          <Dial name="evenness" draft={draft} set={set} />
          <Dial name="light" draft={draft} set={set} />
        </Section>
        <Section title={t('headLook.face')} draft={draft} names={['smile', 'glasses']}>
          <Dial name="smile" draft={draft} set={set} />
          <Row name="glasses" draft={draft} set={set}>
            {model.glasses === false ? (
              <span className={classes.quiet}>{t('headLook.noGlasses')}</span>
            ) : (
              <SegmentedControl
                fullWidth
                className={classes.wide}
                aria-label={t('choices.glasses')}
                value={draft.wanted.glasses ?? defaultHeadOptions.glasses}
                data={glassesChoices.map((value) => ({ value, label: t(`headLook.glassesKept.${value}`) }))}
                onChange={(value) => set({ glasses: value as GlassesChoice })}
              />
            )}
          </Row>
        </Section>
        <Below draft={draft} set={set} />
        <Section title={t('headLook.eyes')} draft={draft} names={['eyeColour']}>
          <Row name="eyeColour" label={t('headLook.colour')} draft={draft} set={set}>
            <Swatches
              label={t('choices.eyeColour')}
              colours={eyeColours}
              ofPhoto
              value={draft.wanted.eyeColour ?? null}
              onChange={(eyeColour) => set({ eyeColour })}
            />
          </Row>
        </Section>
        <Section title={t('headLook.proportions')} draft={draft} names={['head', 'neck']}>
          <Dial name="head" draft={draft} set={set} />
          <Dial name="neck" draft={draft} set={set} />
        </Section>
      </div>
      <LookFoot model={model} draft={draft} job={job} />
    </>
  );
}

interface RowProps {
  draft: ShownDraft;
  set: (changes: HeadOptions) => void;
}

function Hair({ draft, set }: RowProps) {
  const { t } = useTranslation('library');
  const style = draft.wanted.hair ?? defaultHeadOptions.hair;
  return (
    <Section title={t('headLook.hair')} draft={draft} names={['hair', 'hairColour']}>
      <Row name="hair" label={t('headLook.style')} draft={draft} set={set}>
        <SegmentedControl
          fullWidth
          className={classes.wide}
          aria-label={t('choices.hair')}
          value={style}
          data={hairStyles.map((value) => ({ value, label: t(`headLook.hairs.${value}`) }))}
          onChange={(value) => set({ hair: value as HairStyle })}
        />
      </Row>
      <Row name="hairColour" label={t('headLook.colour')} draft={draft} set={set}>
        {style === 'bald' ? (
          <span className={classes.quiet}>{t('headLook.noHair')}</span>
        ) : (
          <Swatches
            label={t('choices.hairColour')}
            colours={hairColours}
            ofPhoto
            value={draft.wanted.hairColour ?? null}
            onChange={(hairColour) => set({ hairColour })}
          />
        )}
      </Row>
    </Section>
  );
}

function Below({ draft, set }: RowProps) {
  const { t } = useTranslation('library');
  const shirt = draft.wanted.bust ?? null;
  return (
    <Section title={t('choices.below')} draft={draft} names={['bust']}>
      <Row name="bust" label={t('headLook.ends')} draft={draft} set={set}>
        <SegmentedControl
          fullWidth
          className={classes.wide}
          aria-label={t('choices.below')}
          value={shirt ? 'bust' : 'cut'}
          data={(['cut', 'bust'] as const).map((value) => ({ value, label: t(`headLook.belows.${value}`) }))}
          onChange={(value) => set({ bust: value === 'bust' ? shirtColours[0] : null })}
        />
      </Row>
      {shirt && (
        <div className={classes.row}>
          <span className={classes.name}>{t('headLook.shirt')}</span>
          <Swatches
            label={t('choices.bust')}
            colours={shirtColours}
            ofPhoto={false}
            value={shirt}
            onChange={(bust) => set({ bust })}
          />
        </div>
      )}
    </Section>
  );
}

/** With a note where the stage does not show some of it, or not yet. */
function Section(props: {
  title: string;
  draft: ShownDraft;
  names: readonly (keyof HeadOptions)[];
  children: ReactNode;
}) {
  const { t } = useTranslation('library');
  const { title, draft, names } = props;
  const needsEngine = names.some((name) => draft.changed.includes(name) && !canPreview(name, draft));
  const { preview } = draft;
  return (
    <section className={classes.section} aria-label={title}>
      <h3 className={classes.title}>
        {title}
        {needsEngine && (preview === 'making' || preview === 'failed') && (
          <span className={classes.later}>{t(`headLook.previews.${preview}`)}</span>
        )}
      </h3>
      {props.children}
    </section>
  );
}

/** A dot marks a change; a double click on the name takes it back. */
function Row(
  props: RowProps & { name: keyof HeadOptions; label?: string; value?: string; children: ReactNode },
) {
  const { t } = useTranslation('library');
  const { name, draft, set, label = t(`choices.${name}`) } = props;
  const isChanged = draft.changed.includes(name);
  return (
    <div className={classes.row} data-valued={props.value !== undefined || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a short cut; the foot's button resets, too */}
      <span
        className={classes.name}
        title={isChanged ? t('headLook.resetHint') : undefined}
        onDoubleClick={() => set({ [name]: draft.made[name] ?? defaultHeadOptions[name] })}
      >
        {label}
        {isChanged && (
          <i className={classes.dot}>
            <span className={classes.heard}>{t('headLook.changed')}</span>
          </i>
        )}
      </span>
      {props.children}
      {props.value !== undefined && <span className={classes.value}>{props.value}</span>}
    </div>
  );
}

const whole = { least: 0, most: 1 };
const dials = {
  smile: { ...whole, step: 0.05 },
  light: { ...whole, step: 0.05 },
  evenness: { ...whole, step: 0.05 },
  head: { ...headOptionBounds.head, step: 0.01 },
  neck: { ...headOptionBounds.neck, step: 0.01 },
} as const;

function Dial({ name, draft, set }: RowProps & { name: keyof typeof dials }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const { least, most, step } = dials[name];
  const value = draft.wanted[name] ?? defaultHeadOptions[name];
  return (
    <Row
      name={name}
      label={t(`headLook.dials.${name}`)}
      value={figures.percent(value)}
      draft={draft}
      set={set}
    >
      <Slider
        size="sm"
        thumbLabel={t(`choices.${name}`)}
        label={null}
        min={least}
        max={most}
        step={step}
        value={value}
        onChange={(next) => set({ [name]: Number(next.toFixed(2)) })}
      />
    </Row>
  );
}
