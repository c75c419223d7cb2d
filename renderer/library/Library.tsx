import { Button } from '@mantine/core';
import { IconBooks, IconPhotoScan } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { assetUrl } from '#contract';
import { go } from '../app/route.ts';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import { HeadViewer } from '../viewer/HeadViewer.tsx';
import classes from './Library.module.css';

/** The heads. While there are none: what to do first, and the default head to look at. */
export function Library() {
  const { t } = useTranslation(['library', 'app']);
  return (
    <>
      <PlaceHeader title={t('app:places.library')} />
      <div className={classes.columns}>
        <EmptyPlace icon={<IconBooks size={48} stroke={1.1} />} title={t('emptyTitle')} text={t('emptyText')}>
          <Button leftSection={<IconPhotoScan size={16} />} onClick={() => go('portraits', 'pick')}>
            {t('make')}
          </Button>
        </EmptyPlace>
        <section className={classes.stage} aria-label={t('default')}>
          <HeadViewer url={assetUrl('default', 'default-head')} />
        </section>
      </div>
    </>
  );
}
