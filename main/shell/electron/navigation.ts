import { app } from 'electron';

/**
 * Blocks all navigation: links, redirects, dropped files, frames, webviews and new windows. The studio is one
 * document, and the page changes its routes without navigation. Applies to every WebContents, also to ones
 * created by mistake.
 */
export function denyNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}
