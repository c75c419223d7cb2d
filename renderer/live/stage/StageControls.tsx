import { Button, Tooltip } from '@mantine/core';
import { IconMicrophone, IconMicrophoneOff, IconMoodSmile } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { muted, toggleMuted } from '../live-keys.ts';
import { changeLive, useLiveSettings } from '../live-settings.ts';
import { HeadSelect } from '../panels/HeadSelect.tsx';
import { KeyHint } from '../panels/KeyHint.tsx';
import { useLiveKey } from '../use-live-key.ts';
import { ExpressionPads } from './ExpressionPads.tsx';
import { keepFocus } from './keep-focus.ts';
import classes from './StageControls.module.css';

/** At the stage's edge: expressions, the microphone's switch, and the head. */
export function StageControls() {
  const { t } = useTranslation('live');
  const { modelId, pads } = useLiveSettings();
  return (
    <div className={classes.edge}>
      {pads && <ExpressionPads />}
      <fieldset className={classes.bar} aria-label={t('stage.controls')} data-notice-floor>
        <Tooltip label={pads ? t('pads.hide') : t('pads.show')}>
          <Button
            variant="default"
            className={classes.square}
            aria-label={t('pads.label')}
            aria-pressed={pads}
            onMouseDown={keepFocus}
            onClick={() => changeLive({ pads: !pads })}
          >
            <IconMoodSmile size={17} />
          </Button>
        </Tooltip>
        <MuteButton />
        <div className={classes.head}>
          <HeadSelect isBare value={modelId} onChange={(id) => changeLive({ modelId: id })} />
        </div>
      </fieldset>
    </div>
  );
}

function MuteButton() {
  const { t } = useTranslation('live');
  const isMuted = muted.use();
  useLiveKey('mute', 'live:actions.mute', toggleMuted);
  const Picture = isMuted ? IconMicrophoneOff : IconMicrophone;
  return (
    <Button
      variant="default"
      className={classes.mute}
      aria-pressed={isMuted}
      leftSection={<Picture size={16} />}
      rightSection={<KeyHint action="mute" />}
      onMouseDown={keepFocus}
      onClick={toggleMuted}
    >
      {t('mute.label')}
    </Button>
  );
}
