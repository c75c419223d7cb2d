import { useTranslation } from 'react-i18next';
import { address } from '../base/route.ts';
import { useBatchOverview } from '../base/studio-queries.ts';
import { PageTabs } from '../ui/PageTabs.tsx';

const tabs = ['tray', 'queue', 'tasks'] as const;
type Tab = (typeof tabs)[number];

/** The way between tray, queue and image tasks, in the header of each, with how many there are. */
export function PortraitsTabs({ current }: { current: Tab }) {
  const { t } = useTranslation('portraits');
  const { data } = useBatchOverview();
  const counts: Record<Tab, number> = { tray: data?.photos ?? 0, queue: data?.open ?? 0, tasks: 0 };
  return (
    <PageTabs
      label={t('tabs.label')}
      tabs={tabs.map((tab) => ({
        name: t(`tabs.${tab}`),
        href: tab === 'tray' ? address('portraits') : address('portraits', tab),
        current: tab === current,
        count: counts[tab],
      }))}
    />
  );
}
