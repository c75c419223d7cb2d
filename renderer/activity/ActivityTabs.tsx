import { useTranslation } from 'react-i18next';
import { address } from '../base/route.ts';
import { PageTabs } from '../ui/PageTabs.tsx';

export const activityTabs = ['journal', 'usage', 'latency'] as const;
export type ActivityTab = (typeof activityTabs)[number];

/** The way between the three, in the header of each. */
export function ActivityTabs({ current }: { current: ActivityTab }) {
  const { t } = useTranslation('activity');
  return (
    <PageTabs
      label={t('tabs.label')}
      tabs={activityTabs.map((tab) => ({
        name: t(`tabs.${tab}`),
        href: address('activity', tab),
        current: tab === current,
      }))}
    />
  );
}
