/** The viewer and its sliders, fetched when a head is first looked at: a list of heads needs no three.js. */
import { Loader } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './HeadViewer.module.css';

const Viewer = lazy(async () => ({ default: (await import('./HeadViewer.tsx')).HeadViewer }));
const Morphs = lazy(async () => ({ default: (await import('./MorphPanel.tsx')).MorphPanel }));

function Waiting() {
  const { t } = useTranslation('viewer');
  return (
    <div className={classes.waiting}>
      <Loader size="sm" color="gray" role="status" aria-label={t('loading')} />
    </div>
  );
}

export const HeadViewerOnDemand = (props: ComponentProps<typeof Viewer>) => (
  <Suspense fallback={<Waiting />}>
    <Viewer {...props} />
  </Suspense>
);

export const MorphPanelOnDemand = (props: ComponentProps<typeof Morphs>) => (
  <Suspense fallback={null}>
    <Morphs {...props} />
  </Suspense>
);
