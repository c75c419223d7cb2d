/** Opens the page on a fake studio, as `renderer/main.tsx` does on a real one. */
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import '../../renderer/base/global.css';
import '../../renderer/base/theme.css';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect } from 'react';
import { render } from 'vitest-browser-react';
import { studio } from '../../renderer/base/studio.ts';
import { queryClient } from '../../renderer/base/studio-queries.ts';
import { App } from '../../renderer/frame/App.tsx';
import { initLanguages } from '../../renderer/frame/init-languages.ts';
import { dropDraft } from '../../renderer/settings/connections/drafts.ts';
import { type FakeStudio, fakeStudio, type StudioStart } from '../fixtures/studio/studio.ts';

export async function openStudio(start: StudioStart = {}, hash = ''): Promise<FakeStudio> {
  const fake = fakeStudio(start);
  Object.assign(window, { studio: fake.bridge });
  window.location.hash = hash;
  queryClient.clear();
  notifications.clean();
  for (const id of ['new', 'nord', 'lab']) dropDraft(id);
  const settings = await studio.app.settings();
  queryClient.setQueryData(['settings'], settings);
  await initLanguages(settings.language);
  document.documentElement.style.height = '100%';
  document.body.style.height = '100%';
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(root);
  await new Promise<void>((resolve) => {
    void render(
      <Mounted onMounted={resolve}>
        <App />
      </Mounted>,
      { container: root },
    );
  });
  return fake;
}

/** Reports when effects of its children have run: from then on they hear events and keys. */
function Mounted({ children, onMounted }: { children: ReactNode; onMounted: () => void }): ReactNode {
  useEffect(onMounted, [onMounted]);
  return children;
}
