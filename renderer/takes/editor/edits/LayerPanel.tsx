import { isUntouched, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import {
  editLimits,
  type FaceRegion,
  faceRegions,
  generatedRegions,
  movementSources,
} from '@likeness/proto/takes/edits/edit_limits.ts';
import type { RegionEdit } from '@likeness/proto/takes/edits/take_edits.ts';
import { ActionIcon, NativeSelect, NumberInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDice5, IconRestore } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EditDial } from './EditDial.tsx';
import type { EditSession } from './edit-session.ts';
import classes from './LayerPanel.module.css';

/** The five regions of the face: what each does with its movement, and where it comes from. */
export function LayerPanel({ session }: { session: EditSession }) {
  const { regions } = session.shown.use();
  return (
    <div className={classes.layers}>
      {faceRegions.map((region) => (
        <Layer key={region} region={region} edit={regions[region]} session={session} />
      ))}
    </div>
  );
}

function Layer(props: { region: FaceRegion; edit: RegionEdit; session: EditSession }) {
  const { t } = useTranslation('takes');
  const { region, edit, session } = props;
  const [isOpen, setOpen] = useState(false);
  const name = t(`editor.regions.${region}`);
  const change = (changes: Partial<RegionEdit>): void => session.apply({ kind: 'region', region, changes });
  const isChanged = !isUntouched(edit);
  return (
    <section className={classes.layer} aria-label={name} data-off={edit.muted || undefined}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.name}
          aria-expanded={isOpen}
          aria-label={t('editor.layers.open', { region: name })}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          {name}
          {isChanged && <span className={classes.changed} title={t('editor.layers.changed')} />}
        </UnstyledButton>
        {isChanged && (
          <Tooltip label={t('editor.layers.restore')}>
            <ActionIcon
              size={24}
              aria-label={t('editor.layers.restoreOf', { region: name })}
              onClick={() => change(noEdits.regions[region])}
            >
              <IconRestore size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {isOpen && (
        <div className={classes.dials}>
          <Source region={region} edit={edit} onChange={change} />
          <LayerDials region={region} edit={edit} session={session} />
        </div>
      )}
    </section>
  );
}

function Source(props: {
  region: FaceRegion;
  edit: RegionEdit;
  onChange: (changes: Partial<RegionEdit>) => void;
}) {
  const { t } = useTranslation('takes');
  const { region, edit, onChange } = props;
  const sources = movementSources.filter(
    (source) => source !== 'generated' || generatedRegions.includes(region),
  );
  return (
    <div className={classes.source}>
      <NativeSelect
        size="xs"
        label={t('editor.layers.source')}
        value={edit.source}
        data={sources.map((value) => ({ value, label: t(`editor.sources.${value}`) }))}
        onChange={({ currentTarget: { value } }) => onChange({ source: value as RegionEdit['source'] })}
      />
      {edit.source === 'generated' && (
        <>
          <NumberInput
            label={t('editor.layers.seed')}
            min={0}
            max={0xffff_ffff}
            allowDecimal={false}
            value={edit.seed}
            onBlur={({ currentTarget: { value } }) => {
              const seed = Number(value);
              if (value !== '' && seed !== edit.seed) onChange({ seed });
            }}
          />
          <Tooltip label={t('editor.layers.again')}>
            <ActionIcon
              aria-label={t('editor.layers.again')}
              onClick={() => onChange({ seed: (edit.seed + 1) % 0xffff_ffff })}
            >
              <IconDice5 size={17} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </div>
  );
}

const { gain, shiftSeconds, smoothingMs } = editLimits;

/** Values with slider and text field. Each shows its effect while it moves, and is saved when released. */
const dials = [
  { key: 'gain', least: 0, most: gain, step: 0.05, digits: 2, suffix: '×' },
  { key: 'offset', least: -1, most: 1, step: 0.01, digits: 2, suffix: '' },
  { key: 'least', least: -1, most: 1, step: 0.01, digits: 2, suffix: '' },
  { key: 'most', least: -1, most: 1, step: 0.01, digits: 2, suffix: '' },
  { key: 'smoothing', least: 0, most: smoothingMs, step: 5, digits: 0, suffix: ' ms' },
  { key: 'shift', least: -shiftSeconds, most: shiftSeconds, step: 0.005, digits: 3, suffix: ' s' },
] as const;
/** Dials that apply only to weights, which a head does not have. */
const ofWeights: readonly string[] = ['offset', 'least', 'most'];

function LayerDials(props: { region: FaceRegion; edit: RegionEdit; session: EditSession }) {
  const { t } = useTranslation('takes');
  const { region, edit, session } = props;
  const operation = (key: keyof RegionEdit, value: number) =>
    ({ kind: 'region', region, changes: { [key]: value } }) as const;
  return dials
    .filter(({ key }) => region !== 'head' || !ofWeights.includes(key))
    .map(({ key, ...dial }) => (
      <EditDial
        key={key}
        label={t(`editor.dials.${key}`)}
        value={edit[key]}
        {...dial}
        onSlide={(value) => session.preview(operation(key, value))}
        onSet={(value) => session.apply(operation(key, value))}
      />
    ));
}
