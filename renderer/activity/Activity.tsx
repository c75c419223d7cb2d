import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { address, useRoute } from '../base/route.ts';
import { PlaceTabs } from '../ui/PlaceTabs.tsx';
import { Journal } from './journal/Journal.tsx';
import { Latency } from './latency/Latency.tsx';
import { Usage } from './Usage.tsx';

const tabs = ['journal', 'usage', 'latency'] as const;
type Tab = (typeof tabs)[number];
const parts: Record<Tab, ComponentType> = { journal: Journal, usage: Usage, latency: Latency };

export function Activity() {
  const { rest } = useRoute();
  const tab = tabs.find((name) => name === rest[0]) ?? 'journal';
  const Part = parts[tab];
  return <Part />;
}

/** The way between the three, in the header of each. */
export function Tabs({ current }: { current: Tab }) {
  const { t } = useTranslation('activity');
  return (
    <PlaceTabs
      label={t('tabs.label')}
      tabs={tabs.map((tab) => ({
        name: t(`tabs.${tab}`),
        href: address('activity', tab),
        current: tab === current,
      }))}
    />
  );
}
