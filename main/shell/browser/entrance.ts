/** What a browser without our cookie gets: it exchanges the link's one-time token for the cookie. */
export const entrance = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="dark light" />
    <title>Likeness Studio</title>
    <style>
      body { margin: 0; display: grid; place-items: center; min-height: 100vh; font: 15px/1.5 system-ui, sans-serif; background: #101214; color: #e6e8ea }
      main { max-width: 30rem; padding: 2rem; text-align: center }
      h1 { font-size: 1.1rem; font-weight: 600 }
    </style>
  </head>
  <body>
    <main>
      <h1>Likeness Studio</h1>
      <p id="state" role="status">Opening the studio…</p>
    </main>
    <script src="/enter.js"></script>
  </body>
</html>
`;

export const entranceScript = `(async () => {
  const state = document.getElementById('state');
  const chinese = navigator.language.startsWith('zh');
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  history.replaceState(null, '', '/');
  if (token) {
    const answer = await fetch('/enter', { method: 'POST', body: token }).catch(() => null);
    if (answer && answer.ok) return location.replace('/');
  }
  state.textContent = chinese
    ? '此链接已被使用，或不属于本次运行。请打开终端中显示的新链接。'
    : 'This link was used already, or is from an earlier run. Open the new link that the studio’s terminal shows.';
})();
`;
