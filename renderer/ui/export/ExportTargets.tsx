import { Checkbox, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './Export.module.css';

interface Target<Id extends string> {
  id: Id;
  name: string;
  note: string;
  isOn: boolean;
}

/** Ticks for each output; the marked one shows its settings. */
export function ExportTargets<Id extends string>(props: {
  groups: readonly { name: string; targets: readonly Target<Id>[] }[];
  marked: Id;
  onMark: (id: Id) => void;
  onTick: (id: Id, isOn: boolean) => void;
}) {
  const { t } = useTranslation();
  const { groups, marked, onMark, onTick } = props;
  return (
    <nav className={classes.targets} aria-label={t('export.targets')}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: several buttons, no fields alone
        <div key={group.name} role="group" aria-label={group.name}>
          <p className={classes.group}>{group.name}</p>
          {group.targets.map(({ id, name, note, isOn }) => (
            <div key={id} className={classes.target} data-marked={id === marked || undefined}>
              <Checkbox
                aria-label={name}
                checked={isOn}
                onChange={({ currentTarget }) => onTick(id, currentTarget.checked)}
              />
              <UnstyledButton aria-current={id === marked || undefined} onClick={() => onMark(id)}>
                <b>{name}</b>
                <small>{note}</small>
              </UnstyledButton>
            </div>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** The formats with or without those of a target; the first of them, if it is ticked. */
export function ticked<Format extends string>(
  formats: readonly Format[],
  target: readonly Format[],
  isOn: boolean,
): Format[] {
  const others = formats.filter((format) => !target.includes(format));
  return isOn ? [...others, ...target.slice(0, 1)] : others;
}

/** A target's formats. */
export function FormatBoxes<Format extends string>(props: {
  formats: readonly { value: Format; label: string; note: string }[];
  value: readonly Format[];
  disabled: boolean;
  onChange: (formats: Format[]) => void;
}) {
  const { t } = useTranslation();
  const { formats, value, disabled, onChange } = props;
  return (
    <Checkbox.Group
      label={t('export.formats')}
      value={[...value]}
      onChange={(next) => onChange(next as Format[])}
    >
      <div className={classes.formats}>
        {formats.map((format) => (
          <Checkbox
            key={format.value}
            value={format.value}
            disabled={disabled}
            label={format.label}
            description={format.note}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
