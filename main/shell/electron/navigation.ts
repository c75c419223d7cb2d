import { app } from 'electron';

/**
 * No page of the app ever goes anywhere: not by link, redirect, dropped file, frame, webview or new window.
 * The studio is one document; moving between its places is the page's own doing and is no navigation. Holds
 * for every WebContents that will exist, also one that nobody meant to make.
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
