import { Slider } from '@mantine/core';
import { IconArrowsHorizontal, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { ToolButton } from '../../ui/ToolButton.tsx';
import classes from '../Takes.module.css';
import { zoomStep } from './timeline/time-window.ts';
import type { TimelineState } from './timeline/timeline-state.ts';

/** Zoom of the timeline. */
export const ZoomTools = memo(function ZoomTools(props: { state: TimelineState; now: () => number }) {
  const { t } = useTranslation('takes');
  const { state, now } = props;
  return (
    <div className={classes.group}>
      <span data-roomy>
        <ToolButton
          label={t('editor.zoomOut')}
          shortcut="takes.zoomOut"
          icon={IconZoomOut}
          onClick={() => state.zoom(zoomStep, now())}
        />
      </span>
      <ZoomSlider {...props} />
      <span data-roomy>
        <ToolButton
          label={t('editor.zoomIn')}
          shortcut="takes.zoomIn"
          icon={IconZoomIn}
          onClick={() => state.zoom(1 / zoomStep, now())}
        />
      </span>
      <ToolButton
        label={t('editor.showAll')}
        shortcut="takes.showAll"
        icon={IconArrowsHorizontal}
        onClick={state.showAll}
      />
    </div>
  );
});

function ZoomSlider({ state, now }: { state: TimelineState; now: () => number }) {
  const { t } = useTranslation('takes');
  const { span } = state.window.use();
  const { seconds } = state.map.use();
  const shares = Math.log(seconds / state.minSpan);
  const value = shares > 0 ? (Math.log(seconds / span) / shares) * 100 : 0;
  return (
    <Slider
      className={classes.zoom ?? ''}
      size={4}
      thumbLabel={t('editor.zoom')}
      label={null}
      min={0}
      max={100}
      step={1}
      value={Math.round(value)}
      onChange={(next) => {
        const wanted = seconds * Math.exp((-next / 100) * shares);
        state.zoom(wanted / state.window.get().span, now());
      }}
    />
  );
}
