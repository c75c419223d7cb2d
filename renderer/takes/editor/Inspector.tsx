import { ScrollArea, Tabs } from '@mantine/core';
import { createContext, Fragment, memo, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Inspector.module.css';
import { type InspectorTab, inspectorTab, inspectorTabs } from './inspector-tab.ts';
import { PanelSection } from './panels/PanelSection.tsx';

interface Panels {
  /** Id of the take: panels for editing begin anew with another one. */
  of: string;
  panels: Readonly<
    Record<
      'fields' | 'face' | 'layers' | 'marks' | 'versions' | 'text' | 'about' | 'selected' | 'overdub',
      ReactNode
    >
  >;
  /** Problems of the take, shown above every tab. */
  children: ReactNode;
}

/**
 * The content of the open tab. A context carries it past the tabs and the scroll area, which then don't
 * re-render.
 */
const PanelsNow = createContext<Panels | null>(null);

/**
 * Settings and edits: of the take, of what was clicked in the timeline, and its overdubs. Only the open tab is
 * rendered.
 */
export function Inspector(panels: Panels) {
  return (
    <PanelsNow value={panels}>
      <InspectorTabs />
    </PanelsNow>
  );
}

const InspectorTabs = memo(function InspectorTabs() {
  const { t } = useTranslation('takes');
  const open = inspectorTab.use();
  return (
    <aside className={classes.inspector} aria-label={t('editor.inspector')}>
      <Tabs
        value={open}
        onChange={(tab) => inspectorTab.set(inspectorTabs.find((one) => one === tab) ?? 'take')}
        keepMounted={false}
        className={classes.tabs ?? ''}
      >
        <Tabs.List className={classes.names ?? ''}>
          {inspectorTabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(`editor.tabs.${tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <ScrollArea className={classes.scroll ?? ''} type="auto">
          <Problems />
          {inspectorTabs.map((tab) => (
            <Tabs.Panel key={tab} value={tab}>
              <Panel tab={tab} />
            </Tabs.Panel>
          ))}
        </ScrollArea>
      </Tabs>
    </aside>
  );
});

const Problems = (): ReactNode => {
  const now = useContext(PanelsNow);
  return <div className={classes.problems}>{now?.children}</div>;
};

function Panel({ tab }: { tab: InspectorTab }) {
  const { t } = useTranslation('takes');
  const now = useContext(PanelsNow);
  if (!now) return null;
  const { of, panels } = now;
  if (tab !== 'take')
    return (
      <Fragment key={of}>
        {tab === 'selected' ? panels.selected : <PanelSection>{panels.overdub}</PanelSection>}
      </Fragment>
    );
  return (
    <>
      <PanelSection>{panels.fields}</PanelSection>
      <PanelSection title={t('speech.face')}>{panels.face}</PanelSection>
      <Fragment key={of}>
        <PanelSection title={t('editor.layers.title')}>{panels.layers}</PanelSection>
        <PanelSection title={t('editor.marks.title')}>{panels.marks}</PanelSection>
        <PanelSection title={t('editor.versions')}>{panels.versions}</PanelSection>
        <PanelSection title={t('editor.text.list')} isClosed>
          {panels.text}
        </PanelSection>
      </Fragment>
      <PanelSection>{panels.about}</PanelSection>
    </>
  );
}
