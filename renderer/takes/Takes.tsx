import { Button } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { go } from '../app/route.ts';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import { Strip } from './Strip.tsx';

/** Recordings of voice and face. */
export function Takes() {
  const { t } = useTranslation(['takes', 'app']);
  return (
    <>
      <PlaceHeader title={t('app:places.takes')} />
      <EmptyPlace icon={<Strip />} title={t('emptyTitle')} text={t('emptyText')}>
        <Button leftSection={<IconMicrophone size={16} />} onClick={() => go('live')}>
          {t('live')}
        </Button>
      </EmptyPlace>
    </>
  );
}
