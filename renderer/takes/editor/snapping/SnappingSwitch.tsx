import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMagnet } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeyNames, withKey } from '../../../base/shortcuts/shortcuts.ts';
import { snapping, toggleSnapping } from './snapping.ts';

/** Switches snapping to word ends, markers and cuts. */
export const SnappingSwitch = memo(function SnappingSwitch() {
  const { t } = useTranslation('takes');
  const isOn = snapping.use();
  const keyOf = useKeyNames();
  return (
    <Tooltip label={withKey(t('editor.snapping'), keyOf('takes.snapping'))}>
      <ActionIcon
        size={28}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? 'patina' : 'gray'}
        aria-label={t('editor.snapping')}
        aria-pressed={isOn}
        onClick={toggleSnapping}
      >
        <IconMagnet size={17} />
      </ActionIcon>
    </Tooltip>
  );
});
