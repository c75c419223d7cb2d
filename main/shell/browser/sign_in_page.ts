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
      code { font-size: 0.92em }
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

const words = {
  en: {
    opening: 'Opening the studio…',
    used: 'This link was used already, was replaced by a newer one, or is from an earlier run of the studio.',
    expired: 'This link was not used in time and opens nothing any more.',
    ended: 'This page was ended, or the studio was started anew.',
    none: 'This page was opened without a link of the studio.',
    unreachable: 'The studio does not answer. Start it again and open the link that its terminal shows.',
    how: 'Open a link that the studio’s terminal shows; each opens one page, within ten minutes. For a new one: Settings, Open pages, in a page that is open, or the signal <code>USR1</code> to the studio’s process, or start it again.',
  },
  'zh-CN': {
    opening: '正在打开工作室…',
    used: '此链接已被使用、已被新的链接取代，或来自工作室此前的一次运行。',
    expired: '此链接未在规定时间内使用，已失效。',
    ended: '此页面已被结束，或工作室已重新启动。',
    none: '此页面不是通过工作室的链接打开的。',
    unreachable: '工作室没有响应。请重新启动它，并打开其终端显示的链接。',
    how: '请打开工作室终端中显示的链接；每个链接只能在十分钟内打开一个页面。如需新链接：在已打开的页面中选择“设置”中的“打开的页面”，或向工作室进程发送信号 <code>USR1</code>，或重新启动工作室。',
  },
};

export const signInScript = `(() => {
  const words = ${JSON.stringify(words)};
  const chinese = navigator.language.startsWith('zh');
  const t = words[chinese ? 'zh-CN' : 'en'];
  const state = document.getElementById('state');
  const how = document.getElementById('how');
  document.documentElement.lang = chinese ? 'zh-CN' : 'en';
  const show = (what) => {
    state.textContent = t[what];
    how.innerHTML = t.how;
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
