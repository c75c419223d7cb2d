import { ScrollArea, Tabs } from '@mantine/core';
import { createContext, Fragment, memo, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Inspector.module.css';

const tabs = ['take', 'layers', 'curve', 'acting', 'overdub', 'marks', 'text'] as const;

interface Panels {
  /** Id of the take: panels for editing begin anew with another one. */
  of: string;
  panels: Record<(typeof tabs)[number], ReactNode>;
}

/**
 * The content of the open panel. A context carries it past the tabs and the scroll area, which then don't
 * re-render.
 */
const PanelsNow = createContext<Panels | null>(null);

/**
 * Settings and edits of a take, beside its head: one tab each. Only the open tab is rendered, and it stays
 * open from take to take.
 */
export function Inspector({ of, panels }: Panels) {
  return (
    <PanelsNow value={{ of, panels }}>
      <InspectorTabs />
    </PanelsNow>
  );
}

const InspectorTabs = memo(function InspectorTabs() {
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
              <Panel tab={tab} />
            </Tabs.Panel>
          ))}
        </ScrollArea>
      </Tabs>
    </aside>
  );
});

function Panel({ tab }: { tab: (typeof tabs)[number] }) {
  const now = useContext(PanelsNow);
  if (!now) return null;
  const { of, panels } = now;
  return tab === 'take' ? panels.take : <Fragment key={of}>{panels[tab]}</Fragment>;
}
