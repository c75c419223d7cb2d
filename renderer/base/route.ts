/**
 * The current place, kept in the URL (`#/settings/connections/acme`), so that reload, back and forward work
 * without a router. The fragment only: it needs nothing from the shell that serves the page.
 */
import { useSyncExternalStore } from 'react';

export const pages = ['portraits', 'library', 'live', 'takes', 'activity', 'settings'] as const;
export type Page = (typeof pages)[number];

export interface Route {
  page: Page;
  /** The segments after the page, for example `['connections', 'acme']`. */
  rest: readonly string[];
}

const isPage = (word: string | undefined): word is Page => pages.includes(word as Page);

export function parseRoute(hash: string): Route {
  const [page, ...rest] = hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
  return isPage(page) ? { page, rest } : { page: 'portraits', rest: [] };
}

export const address = (page: Page, ...rest: string[]): string =>
  `#/${[page, ...rest].map(encodeURIComponent).join('/')}`;

/** The live head's own window, which is not a place: it shows only the head. */
export const popOutAddress = '#/pop-out';

/** The film that a page out of sight is to draw, by what its address asks for; null: it is the studio's page. */
export const filmAddress = (search: string): string | null => new URLSearchParams(search).get('film');

/** Navigates. Inside a place this changes the rest of the URL, and back returns to the previous one. */
export function go(page: Page, ...rest: string[]): void {
  window.location.hash = address(page, ...rest);
}

let known: { hash: string; route: Route } | undefined;
const current = (): Route => {
  const { hash } = window.location;
  if (known?.hash !== hash) known = { hash, route: parseRoute(hash) };
  return known.route;
};
const followers = new Set<() => void>();
const notify = (): void => {
  for (const changed of followers) changed();
};
/** One listener of the window's for all: React would draw the page once after each of several. */
const subscribe = (changed: () => void): (() => void) => {
  if (followers.size === 0) window.addEventListener('hashchange', notify);
  followers.add(changed);
  return () => {
    followers.delete(changed);
    if (followers.size === 0) window.removeEventListener('hashchange', notify);
  };
};

export const useRoute = (): Route => useSyncExternalStore(subscribe, current);
/** The place alone: what goes by it is not drawn anew inside of it. */
export const usePage = (): Page => useSyncExternalStore(subscribe, () => current().page);
