import { useTranslation } from 'react-i18next';
import { address } from '../base/route.ts';
import { PlaceTabs } from '../ui/PlaceTabs.tsx';

export const activityTabs = ['journal', 'usage', 'latency'] as const;
export type ActivityTab = (typeof activityTabs)[number];

/** The way between the three, in the header of each. */
export function ActivityTabs({ current }: { current: ActivityTab }) {
  const { t } = useTranslation('activity');
  return (
    <PlaceTabs
      label={t('tabs.label')}
      tabs={activityTabs.map((tab) => ({
        name: t(`tabs.${tab}`),
        href: address('activity', tab),
        current: tab === current,
      }))}
    />
  );
}
