import { Loader, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../base/language.ts';
import { attempt, notify } from '../../base/notices.tsx';
import { go, useRoute } from '../../base/route.ts';
import { useAppInfo } from '../../base/studio-queries.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Page } from '../Page.tsx';
import classes from './Help.module.css';

/** A file that the build made of docs/. @throws Error where this installation lacks it */
async function helpFile(path: string): Promise<string> {
  const response = await fetch(`/help/${path}`);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.text();
}

interface HelpPage {
  name: string;
  titles: { en: string } & Partial<Record<Language, string>>;
}

/** The documentation that ships with the studio: one page of it, and links to the others. */
export function Help() {
  const { t, i18n } = useTranslation('settings');
  const { rest } = useRoute();
  const [, name = 'guide', anchor] = rest;
  const pages = useQuery({
    queryKey: ['help', 'pages'],
    queryFn: async () => JSON.parse(await helpFile('pages.json')) as HelpPage[],
  });
  const language = i18n.language as Language;
  // A page that is not there in this language is shown in English.
  const titles = pages.data?.find((page) => page.name === name)?.titles;
  const shownIn = titles?.[language] === undefined ? 'en' : language;
  return (
    <Page
      title={t('sections.help')}
      intro={t('help.intro')}
      actions={
        <Select
          aria-label={t('help.page')}
          w={260}
          searchable
          allowDeselect={false}
          value={name}
          data={
            pages.data?.map((page) => ({
              value: page.name,
              label: page.titles[language] ?? t('help.inEnglish', { title: page.titles.en }),
            })) ?? []
          }
          onChange={(value) => value && go('settings', 'help', value)}
        />
      }
    >
      {pages.data ? (
        <Article key={`${shownIn}/${name}`} name={name} language={shownIn} anchor={anchor} />
      ) : (
        <NotShown error={pages.error} />
      )}
    </Page>
  );
}

function NotShown({ error }: { error: Error | null }) {
  const { t } = useTranslation('settings');
  if (!error) return <Loader size="sm" color="gray" role="status" aria-label={t('help.loading')} />;
  return (
    <Callout tone="bad" title={t('help.missing')}>
      {error.message}
    </Callout>
  );
}

function Article(props: { name: string; language: Language; anchor: string | undefined }) {
  const { name, language, anchor } = props;
  const { t } = useTranslation('settings');
  const shell = useAppInfo().data?.shell;
  const { data, error } = useQuery({
    queryKey: ['help', language, name],
    queryFn: () => helpFile(`${language}/${name}.html`),
  });
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (data === undefined) return;
    // Parsed without running anything, though nothing but our own text is in it.
    article.current?.replaceChildren(...new DOMParser().parseFromString(data, 'text/html').body.childNodes);
  }, [data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: headings are there once the page is
  useEffect(() => {
    if (anchor !== undefined) document.getElementById(`help-${anchor}`)?.scrollIntoView();
  }, [data, anchor]);
  useEffect(() => {
    if (shell !== 'electron') return;
    // The desktop app opens no addresses of other servers.
    const copyAddress = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[target=_blank]') : null;
      if (!(link instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      attempt(async () => {
        await navigator.clipboard.writeText(link.href);
        notify({ level: 'info', title: t('help.copied'), text: link.href });
      });
    };
    const shown = article.current;
    shown?.addEventListener('click', copyAddress);
    return () => shown?.removeEventListener('click', copyAddress);
  }, [shell, t]);
  return (
    <>
      {data === undefined && <NotShown error={error} />}
      <article ref={article} lang={language} className={classes.article} />
    </>
  );
}
