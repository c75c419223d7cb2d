import { table } from '@likeness/messages/table.ts';
import { pageStorageKey } from '@likeness/proto/page_session.ts';

/**
 * The page for a browser without a session: it exchanges the link's one-time token for one, or explains how
 * to get a link.
 */
export const signInPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="dark light" />
    <link rel="icon" href="data:," />
    <title>Likeness Studio</title>
    <style>
      body { margin: 0; display: grid; place-items: center; min-height: 100vh; font: 15px/1.5 system-ui, sans-serif; background: #101214; color: #e6e8ea }
      main { max-width: 32rem; padding: 2rem; text-align: center }
      h1 { font-size: 1.1rem; font-weight: 600 }
      #how { color: #aeb4ba }
    </style>
  </head>
  <body>
    <main>
      <h1>Likeness Studio</h1>
      <p id="state" role="status">Opening the studio…</p>
      <p id="how" hidden></p>
    </main>
    <script src="/enter.js"></script>
  </body>
</html>
`;

const keys = {
  opening: 'sign_in.opening',
  used: 'sign_in.used',
  expired: 'sign_in.expired',
  ended: 'sign_in.ended',
  none: 'sign_in.none',
  unreachable: 'sign_in.unreachable',
  how: 'sign_in.how',
} as const;

/** Texts without values, so that opening a page does not load the formatter of messages. */
const shownIn = (language: 'en' | 'zh'): Record<string, string> =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, table[key][language]]));

export const signInScript = `(() => {
  const messages = ${JSON.stringify({ en: shownIn('en'), 'zh-CN': shownIn('zh') })};
  const chinese = navigator.language.startsWith('zh');
  const shown = messages[chinese ? 'zh-CN' : 'en'];
  const state = document.getElementById('state');
  const how = document.getElementById('how');
  document.documentElement.lang = chinese ? 'zh-CN' : 'en';
  const show = (what) => {
    state.textContent = shown[what];
    how.textContent = shown.how;
    how.hidden = what === 'opening' || what === 'unreachable';
  };
  const enter = async () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    const token = asked.get('token');
    // A token in the address would enter the history.
    history.replaceState(null, '', location.pathname + location.search);
    if (!token) return show(asked.has('ended') ? 'ended' : 'none');
    show('opening');
    const answer = await fetch('/enter', { method: 'POST', body: token }).catch(() => null);
    if (!answer) return show('unreachable');
    // An invalid link must not end the session of an open page.
    if (!answer.ok && sessionStorage.getItem('${pageStorageKey}')) return location.replace('/');
    if (!answer.ok) return show(answer.status === 410 ? 'expired' : 'used');
    sessionStorage.setItem('${pageStorageKey}', await answer.text());
    // The query string is for the page.
    location.replace('/' + location.search);
  };
  // Pasting a link into this page's address does not reload the page.
  addEventListener('hashchange', () => location.hash && enter());
  enter();
})();
`;
