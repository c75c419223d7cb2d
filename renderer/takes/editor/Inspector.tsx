import { ScrollArea, Tabs } from '@mantine/core';
import { Fragment, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Inspector.module.css';

const tabs = ['take', 'layers', 'curve', 'acting', 'tries', 'marks', 'text'] as const;

/**
 * What is set and edited of a take, beside its head: one tab each. Only the one that is open is made, and it stays open
 * from take to take.
 *
 * @param of id of the take: panels for editing begin anew with another one
 */
export function Inspector({ of, panels }: { of: string; panels: Record<(typeof tabs)[number], ReactNode> }) {
  const { t } = useTranslation('takes');
  const names = useMemo(
    () =>
      tabs.map((tab) => (
        <Tabs.Tab key={tab} value={tab}>
          {t(`editor.tabs.${tab}`)}
        </Tabs.Tab>
      )),
    [t],
  );
  return (
    <aside className={classes.inspector} aria-label={t('editor.inspector')}>
      <Tabs defaultValue="take" keepMounted={false} className={classes.tabs ?? ''}>
        <Tabs.List className={classes.names ?? ''}>{names}</Tabs.List>
        <ScrollArea className={classes.scroll ?? ''} type="auto">
          {tabs.map((tab) => (
            <Tabs.Panel key={tab} value={tab} className={classes.panel ?? ''}>
              {tab === 'take' ? panels.take : <Fragment key={of}>{panels[tab]}</Fragment>}
            </Tabs.Panel>
          ))}
        </ScrollArea>
      </Tabs>
    </aside>
  );
}
