import { ColorPicker, Popover, Tooltip } from '@mantine/core';
import { IconCheck, IconPhoto, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './Look.module.css';

/** Colours to choose from; the first is the photo’s, where there is one. */
export function Swatches(props: {
  label: string;
  colours: readonly string[];
  /** Null: as in the photo. */
  value: string | null;
  /** Whether the photo’s colour can be chosen. */
  ofPhoto: boolean;
  onChange: (colour: string | null) => void;
}) {
  const { t } = useTranslation('library');
  const { label, colours, value, ofPhoto, onChange } = props;
  const isOwn = value !== null && !colours.includes(value);
  const shown = isOwn ? [...colours.slice(0, -1), value] : colours;
  return (
    <div className={classes.swatches} role="radiogroup" aria-label={label}>
      {ofPhoto && (
        <Swatch
          label={t('choices.asSeen')}
          checked={value === null}
          colour={null}
          onChoose={() => onChange(null)}
        />
      )}
      {shown.map((colour) => (
        <Swatch
          key={colour}
          label={colour}
          checked={colour === value}
          colour={colour}
          onChoose={() => onChange(colour)}
        />
      ))}
      <Popover position="bottom-end" trapFocus returnFocus withinPortal>
        <Popover.Target>
          <Tooltip label={t('headLook.ownColour')}>
            <button type="button" className={classes.own} aria-label={`${label}: ${t('headLook.ownColour')}`}>
              <IconPlus size={15} aria-hidden />
            </button>
          </Tooltip>
        </Popover.Target>
        <Popover.Dropdown>
          <ColorPicker
            format="hex"
            value={value ?? colours[0] ?? '#000000'}
            onChange={(colour) => onChange(colour.toLowerCase())}
            hueLabel={t('headLook.hue')}
            saturationLabel={t('headLook.saturation')}
          />
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

function Swatch(props: { label: string; checked: boolean; colour: string | null; onChoose: () => void }) {
  const { label, checked, colour, onChoose } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native radio can't be drawn as a colour
    <button
      type="button"
      role="radio"
      aria-checked={checked}
      aria-label={label}
      title={label}
      className={classes.swatch}
      style={colour === null ? undefined : { background: colour }}
      onClick={onChoose}
    >
      {colour === null ? (
        <IconPhoto size={14} aria-hidden />
      ) : (
        checked && <IconCheck size={13} stroke={3} aria-hidden />
      )}
    </button>
  );
}
