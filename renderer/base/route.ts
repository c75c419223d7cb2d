/**
 * The current place, kept in the URL (`#/settings/connections/acme`), so that reload, back and forward work
 * without a router. The fragment only: it needs nothing from the shell that serves the page.
 */
import { useSyncExternalStore } from 'react';

export const places = ['portraits', 'library', 'live', 'takes', 'activity', 'settings'] as const;
export type Place = (typeof places)[number];

export interface Route {
  place: Place;
  /** What follows the place, for instance `['connections', 'acme']`. */
  rest: readonly string[];
}

const isPlace = (word: string | undefined): word is Place => places.includes(word as Place);

export function parseRoute(hash: string): Route {
  const [place, ...rest] = hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
  return isPlace(place) ? { place, rest } : { place: 'portraits', rest: [] };
}

export const address = (place: Place, ...rest: string[]): string =>
  `#/${[place, ...rest].map(encodeURIComponent).join('/')}`;

/** The live head's own window, which is not a place: it shows only the head. */
export const popOutAddress = '#/pop-out';

/** The film that a page out of sight is to draw, by what its address asks for; null: it is the studio's page. */
export const filmAddress = (search: string): string | null => new URLSearchParams(search).get('film');

/** Navigates. Inside a place this changes the rest of the URL, and back returns to the previous one. */
export function go(place: Place, ...rest: string[]): void {
  window.location.hash = address(place, ...rest);
}

let known: { hash: string; route: Route } | undefined;
const current = (): Route => {
  const { hash } = window.location;
  if (known?.hash !== hash) known = { hash, route: parseRoute(hash) };
  return known.route;
};
const followers = new Set<() => void>();
const tell = (): void => {
  for (const changed of followers) changed();
};
/** One listener of the window's for all: React would draw the page once after each of several. */
const subscribe = (changed: () => void): (() => void) => {
  if (followers.size === 0) window.addEventListener('hashchange', tell);
  followers.add(changed);
  return () => {
    followers.delete(changed);
    if (followers.size === 0) window.removeEventListener('hashchange', tell);
  };
};

export const useRoute = (): Route => useSyncExternalStore(subscribe, current);
/** The place alone: what goes by it is not drawn anew inside of it. */
export const usePlace = (): Place => useSyncExternalStore(subscribe, () => current().place);
