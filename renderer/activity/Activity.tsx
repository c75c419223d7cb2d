import type { ComponentType } from 'react';
import { useRoute } from '../base/route.ts';
import { type ActivityTab, activityTabs } from './ActivityTabs.tsx';
import { Journal } from './journal/Journal.tsx';
import { Latency } from './latency/Latency.tsx';
import { Usage } from './Usage.tsx';

const parts: Record<ActivityTab, ComponentType> = { journal: Journal, usage: Usage, latency: Latency };

export function Activity() {
  const { rest } = useRoute();
  const tab = activityTabs.find((name) => name === rest[0]) ?? 'journal';
  const Part = parts[tab];
  return <Part />;
}
