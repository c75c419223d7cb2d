import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './base/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { filmAddress, popOutAddress } from './base/route.ts';
import { asFailure, studio } from './base/studio.ts';
import { queryClient } from './base/studio-queries.ts';
import { App } from './frame/App.tsx';
import { initLanguages } from './frame/init-languages.ts';
import { NoStudio } from './frame/NoStudio.tsx';

const film = filmAddress(window.location.search);
const root = createRoot(document.getElementById('root') as HTMLElement);
if (film) {
  // Nobody sees this page. What goes wrong is told to main, which opened it.
  const { drawFilm } = await import('./takes/video/draw-film.ts');
  await drawFilm(film).catch(() => undefined);
} else await openStudio();

async function openStudio(): Promise<void> {
  try {
    const settings = await studio.app.settings();
    queryClient.setQueryData(['settings'], settings);
    await initLanguages(settings.language);
    const isPopOut = window.location.hash === popOutAddress;
    // The studio's own code is not loaded into the window of the head alone.
    const Page = isPopOut ? (await import('./live/PopOut.tsx')).PopOut : App;
    root.render(
      <StrictMode>
        <Page />
      </StrictMode>,
    );
  } catch (thrown) {
    await initLanguages(navigator.language.startsWith('zh') ? 'zh-CN' : 'en');
    root.render(<NoStudio failure={asFailure(thrown)} />);
  }
}
