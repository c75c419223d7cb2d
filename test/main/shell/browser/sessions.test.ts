import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { browserName } from '../../../../main/shell/browser/browser_name.ts';
import { Sessions } from '../../../../main/shell/browser/sessions.ts';

const hour = 3_600_000;
function start(options: { most?: number; idleFor?: number } = {}) {
  const time = { now: 1_800_000_000_000 };
  const sessions = new Sessions({ randomBytes, clock: () => time.now, ...options });
  const come = (userAgent = '') => {
    const { cookie, ...page } = sessions.open(userAgent);
    return { ...page, cookies: new Map([[page.id, cookie]]) };
  };
  return { time, sessions, come };
}

it('a session that nobody had open for twelve hours is over; one that is open stays', () => {
  const { time, sessions, come } = start();
  const [idle, open] = [come(), come()];
  const leave = sessions.attach(open, () => {});
  time.now += 11 * hour;
  expect(sessions.list()).toHaveLength(2);
  time.now += 2 * hour;
  expect(sessions.bySecret(idle.secret, idle.cookies)).toBe(null);
  expect(sessions.knows(idle.cookies)).toBe(false);
  expect(sessions.list().map(({ id }) => id)).toEqual([open.id]);
  time.now += 40 * hour;
  leave();
  time.now += 11 * hour;
  expect(sessions.bySecret(open.secret, open.cookies)).not.toBe(null);
  time.now += 13 * hour;
  expect(sessions.list()).toEqual([]);
});

it('there are so many at most; the one not seen for longest gives way, and first those that nobody has open', () => {
  const { time, sessions, come } = start({ most: 3 });
  const pages = [come(), come(), come()] as const;
  sessions.attach(pages[0], () => {});
  time.now += 1;
  sessions.bySecret(pages[1].secret, pages[1].cookies);
  time.now += 1;
  const fourth = come();
  expect(sessions.list().map(({ id }) => id)).toEqual([pages[0].id, pages[1].id, fourth.id]);
});

it('tells who is there now, and when that changes', () => {
  const { sessions, come } = start();
  const told: boolean[][] = [];
  sessions.onChanged((pages) => told.push(pages.map(({ connected }) => connected)));
  const page = come();
  const leaves = [sessions.attach(page, () => {}), sessions.attach(page, () => {})];
  for (const leave of leaves) leave();
  sessions.end([page.id, 'nobody']);
  expect(told).toEqual([[false], [true], [false], []]);
});

it('a connection that comes as its session ends is cut', () => {
  const { sessions, come } = start();
  const page = come();
  sessions.end([page.id]);
  let cut = 0;
  sessions.attach(page, () => {
    cut += 1;
  })();
  expect(cut).toBe(1);
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox 145, Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge 142, Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari 26, macOS',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
    'Chrome 142, Linux',
  ],
  ['curl/8.9 \u001b[31m<b>', ''],
])('%s is called %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
