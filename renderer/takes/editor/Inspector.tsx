import { ScrollArea, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Inspector.module.css';

/** What is set of a take, beside its head: one tab each. */
export function Inspector({ children }: { children: ReactNode }) {
  const { t } = useTranslation('takes');
  return (
    <aside className={classes.inspector} aria-label={t('editor.inspector')}>
      <Tabs defaultValue="take" keepMounted={false} className={classes.tabs ?? ''}>
        <Tabs.List>
          <Tabs.Tab value="take">{t('editor.tabs.take')}</Tabs.Tab>
        </Tabs.List>
        <ScrollArea className={classes.scroll ?? ''} type="auto">
          <Tabs.Panel value="take">
            <div className={classes.panel}>{children}</div>
          </Tabs.Panel>
        </ScrollArea>
      </Tabs>
    </aside>
  );
}
