import { Box, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toggleJobs } from '../base/jobs.ts';
import { openPalette } from '../base/overlays.ts';
import { go, type Page, pages, usePage } from '../base/route.ts';
import { studio } from '../base/studio.ts';
import { useSettings } from '../base/studio-queries.ts';
import { useShownTitle } from '../base/text/page-title.ts';
import classes from './Frame.module.css';
import { bindFrameKeys } from './frame-keys.ts';
import { NoticeCards } from './NoticeCards.tsx';
import { PageBoundary } from './PageBoundary.tsx';
import { Palette } from './Palette.tsx';
import { Rail } from './Rail.tsx';
import { StatusLine } from './StatusLine.tsx';
import { StudioLost } from './StudioLost.tsx';
import { UnlockDialog } from './UnlockDialog.tsx';
import { Unprotected } from './Unprotected.tsx';
import { Welcome } from './Welcome.tsx';

// Each place is a chunk of its own: the first screen should not wait for three.js or the journal.
const loaders: Record<Page, () => Promise<{ default: ComponentType }>> = {
  portraits: async () => ({ default: (await import('../portraits/Portraits.tsx')).Portraits }),
  library: async () => ({ default: (await import('../library/Library.tsx')).Library }),
  live: async () => ({ default: (await import('../live/Live.tsx')).Live }),
  takes: async () => ({ default: (await import('../takes/Takes.tsx')).Takes }),
  activity: async () => ({ default: (await import('../activity/Activity.tsx')).Activity }),
  settings: async () => ({ default: (await import('../settings/Settings.tsx')).Settings }),
};
const ShortcutSheet = lazy(async () => ({ default: (await import('./ShortcutSheet.tsx')).ShortcutSheet }));
/** `lazy` remembers a failed load for good; a place that is opened again must ask again. */
const partOf = (page: Page): ComponentType => lazy(loaders[page]);
const pageComponents: Record<Page, ComponentType> = {
  portraits: partOf('portraits'),
  library: partOf('library'),
  live: partOf('live'),
  takes: partOf('takes'),
  activity: partOf('activity'),
  settings: partOf('settings'),
};

export function Frame() {
  const { t } = useTranslation();
  const page = usePage();
  const { welcomed } = useSettings();
  const [sheetOpen, setSheetOpen] = useState(false);
  const [parts, setParts] = useState(pageComponents);
  const Here = parts[page];
  const title = useShownTitle() ?? t(`pages.${page}`);

  useEffect(
    () =>
      bindFrameKeys({
        'studio.palette': openPalette,
        'studio.jobs': toggleJobs,
        'studio.shortcuts': () => setSheetOpen((open) => !open),
        ...Object.fromEntries(pages.map((page) => [`go.${page}`, () => go(page)])),
      }),
    [],
  );
  useEffect(
    () =>
      studio.app.onNavigate(({ to }) => {
        if (to === 'palette') openPalette();
        else if (to === 'shortcuts') setSheetOpen(true);
        else go(to);
      }),
    [],
  );
  useEffect(() => {
    // The places that the first steps lead to are fetched while nobody
    // waits. A failure shows when one is opened.
    const idle = requestIdleCallback(() => {
      for (const next of ['portraits', 'live'] as const) loaders[next]().catch(() => undefined);
    });
    return () => cancelIdleCallback(idle);
  }, []);
  useEffect(() => {
    document.title = welcomed ? `${title} · ${t('name')}` : t('name');
  }, [title, welcomed, t]);

  return (
    <div className={classes.whole}>
      <Unprotected />
      <div className={classes.frame}>
        <StudioLost />
        <button type="button" className={classes.skip} onClick={focusMain}>
          {t('nav.skip')}
        </button>
        <Rail page={welcomed ? page : undefined} />
        <main id="main" className={classes.place} tabIndex={-1}>
          {welcomed ? (
            <PageBoundary
              key={page}
              page={page}
              onAgain={() => setParts((now) => ({ ...now, [page]: partOf(page) }))}
            >
              <Suspense fallback={<Waiting />}>
                <Here />
              </Suspense>
            </PageBoundary>
          ) : (
            <Welcome />
          )}
        </main>
        <StatusLine onShortcuts={() => setSheetOpen(true)} />
        <Palette onShortcuts={() => setSheetOpen(true)} />
        <UnlockDialog />
        {sheetOpen && (
          <Suspense>
            <ShortcutSheet onClose={() => setSheetOpen(false)} />
          </Suspense>
        )}
      </div>
      <NoticeCards />
    </div>
  );
}

/** A button and not a link to `#main`: the address's fragment holds the place. */
function focusMain(): void {
  document.getElementById('main')?.focus();
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <Box className={classes.waiting}>
      <Loader size="sm" color="gray" role="status" aria-label={t('loading')} />
    </Box>
  );
}
