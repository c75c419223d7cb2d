import { Button } from '@mantine/core';
import { IconColumns2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { go } from '../../base/route.ts';
import { comparedPart } from './compare-route.ts';

/** Leads to one take by two engines: the live face beside the one of the full pass. */
export function CompareFacesButton({ id }: { id: string }) {
  const { t } = useTranslation('takes');
  const both = (['live', 'second'] as const).map((face) => comparedPart({ id, face }));
  return (
    <Button
      variant="default"
      leftSection={<IconColumns2 size={15} />}
      onClick={() => go('takes', 'compare', ...both)}
    >
      {t('compare.engines')}
    </Button>
  );
}
