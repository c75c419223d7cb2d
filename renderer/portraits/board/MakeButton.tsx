import { Button, Text, Tooltip } from '@mantine/core';
import { IconPhotoScan } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import { useHeads, useMake, useTarget } from './make.ts';

const everything = { filter: {} };

/** Makes all heads that can be made, whatever is filtered, and no more than it says. */
export function MakeButton({ plain = false }: { plain?: boolean }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const target = useTarget();
  const { busy, make } = useMake(target);
  const all = useHeads(target, everything);
  const heads = all?.heads ?? 0;
  return (
    <Button
      {...(plain ? { variant: 'default' } : {})}
      leftSection={<IconPhotoScan size={16} />}
      loading={busy}
      disabled={heads === 0}
      onClick={() => make(everything)}
    >
      {heads === 0 ? t('start.none') : t('start.action', { count: heads, shown: figures.number(heads) })}
    </Button>
  );
}

/** Makes those of the selected photos that can be made. */
export function MakeChosen({ ids }: { ids: string[] }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const target = useTarget();
  const { busy, make } = useMake(target);
  const selection = { ids };
  const forecast = useHeads(target, ids.length > 0 ? selection : null);
  // How many are made of another selection says nothing of this one.
  const heads = forecast?.isOld ? undefined : forecast?.heads;
  const left = forecast?.isOld ? [] : (forecast?.left ?? []);
  const button = (
    <Button
      {...(ids.length === 1 ? { variant: 'light' } : {})}
      leftSection={<IconPhotoScan size={16} />}
      loading={busy}
      disabled={heads === 0}
      onClick={() => make(selection)}
    >
      {ids.length === 1
        ? t('board.makeThis')
        : heads === undefined
          ? t('start.chosenThose')
          : heads === 0
            ? t('start.chosenNone')
            : heads < ids.length
              ? t('start.chosenSome', { shown: figures.number(heads), of: figures.number(ids.length) })
              : t('start.action', { count: heads, shown: figures.number(heads) })}
    </Button>
  );
  if (left.length === 0) return button;
  return (
    <Tooltip label={left.map(({ reason, count }) => t(`start.left.${reason}`, { count })).join(' · ')}>
      <span>{button}</span>
    </Tooltip>
  );
}

/** At the end of a review: how many heads can be made, and the way to make them. */
export function MakeReady() {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const heads = useHeads(useTarget(), everything)?.heads ?? 0;
  if (heads === 0) return null;
  return (
    <>
      <Text size="xs" role="status">
        {t('review.ready', { count: heads, shown: figures.number(heads) })}
      </Text>
      <MakeButton />
    </>
  );
}
