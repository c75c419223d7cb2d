import { ScrollArea, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Inspector.module.css';

const tabs = ['take', 'layers', 'curve', 'acting', 'tries', 'marks', 'text'] as const;

/** What is set and edited of a take, beside its head: one tab each. Only the one that is open is made. */
export function Inspector({ panels }: { panels: Record<(typeof tabs)[number], ReactNode> }) {
  const { t } = useTranslation('takes');
  return (
    <aside className={classes.inspector} aria-label={t('editor.inspector')}>
      <Tabs defaultValue="take" keepMounted={false} className={classes.tabs ?? ''}>
        <Tabs.List className={classes.names ?? ''}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(`editor.tabs.${tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <ScrollArea className={classes.scroll ?? ''} type="auto">
          {tabs.map((tab) => (
            <Tabs.Panel key={tab} value={tab} className={classes.panel ?? ''}>
              {panels[tab]}
            </Tabs.Panel>
          ))}
        </ScrollArea>
      </Tabs>
    </aside>
  );
}
