import { Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract';
import { exportFormats } from '#contract/constants.ts';
import { takeFormats } from '#contract/takes/take_constants.ts';
import { attempt } from '../base/notices.tsx';
import { changeSettings, useSettings } from '../base/studio-queries.ts';
import { NameTablesButton } from '../library/names/NameTablesDialog.tsx';
import { useShapeNames } from '../library/shape-names.ts';
import { Section } from '../ui/Section.tsx';
import { Page } from './Page.tsx';

const change = (changes: Partial<Settings>): void => attempt(() => changeSettings(changes));

/** Initial choices of the export dialogs. */
export function Exports() {
  const { t } = useTranslation(['settings', 'library', 'takes']);
  const { headExport, takeExport, rememberExport } = useSettings();
  const shapeNames = useShapeNames();
  return (
    <Page title={t('sections.exports')} intro={t('exports.intro')}>
      <Section title={t('exports.heads')} note={t(`library:export.formats.${headExport.format}.text`)}>
        <Select
          label={t('library:export.format')}
          value={headExport.format}
          allowDeselect={false}
          data={exportFormats.map((value) => ({ value, label: t(`library:export.formats.${value}.label`) }))}
          onChange={(format) => format && change({ headExport: { ...headExport, format } })}
        />
        <Select
          label={t('library:export.names')}
          description={t('library:export.namesNote')}
          value={headExport.names}
          allowDeselect={false}
          data={shapeNames}
          onChange={(names) => names && change({ headExport: { ...headExport, names } })}
        />
        <NameTablesButton first={headExport.names} modelId={null} />
      </Section>
      <Section title={t('exports.takes')}>
        <Select
          label={t('library:export.format')}
          value={takeExport}
          allowDeselect={false}
          data={takeFormats.map((value) => ({ value, label: t(`takes:formats.${value}`) }))}
          onChange={(format) => format && change({ takeExport: format })}
        />
      </Section>
      <Section title={t('exports.remember')} note={t('exports.rememberNote')}>
        <Switch
          aria-label={t('exports.remember')}
          label={rememberExport ? t('general.on') : t('general.off')}
          checked={rememberExport}
          onChange={({ currentTarget }) => change({ rememberExport: currentTarget.checked })}
        />
      </Section>
    </Page>
  );
}
