import { ActionIcon, Tooltip } from '@mantine/core';
import { IconWaveSawTool } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeyNames, withKey } from '../../../base/shortcuts/shortcuts.ts';
import { nextSpectrogram, spectrogramChoice } from './spectrogram.ts';

/** The spectrogram under the sound: off, mel or linear. */
export const SpectrogramSwitch = memo(function SpectrogramSwitch() {
  const { t } = useTranslation('takes');
  const choice = spectrogramChoice.use();
  const keyOf = useKeyNames();
  const label = t(`editor.spectrogram.${choice}`);
  return (
    <Tooltip label={withKey(label, keyOf('takes.spectrogram'))}>
      <ActionIcon
        size={26}
        variant={choice === 'off' ? 'subtle' : 'light'}
        color={choice === 'off' ? 'gray' : 'patina'}
        aria-label={label}
        onClick={nextSpectrogram}
      >
        <IconWaveSawTool size={15} />
      </ActionIcon>
    </Tooltip>
  );
});
