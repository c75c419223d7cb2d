import { useTranslation } from 'react-i18next';
import { FolderList, useAddFolder } from '../library/Folders.tsx';
import { useFollowedLibrary } from '../library/library-queries.ts';
import { Page } from './Page.tsx';

const unheard = (): void => undefined;

/** Where heads are kept: the same list as on the library's own screen. */
export function Libraries() {
  const { t } = useTranslation(['settings', 'library']);
  const adding = useAddFolder();
  useFollowedLibrary(unheard);
  return (
    <Page title={t('sections.libraries')} intro={t('library:folders.intro')} actions={adding.button}>
      <FolderList />
      {adding.dialog}
    </Page>
  );
}
