/**
 * Keys of Live: one for each action during speech. They work in Live and in the head's own window; on the
 * desktop each can have a second, system-wide key.
 */
import { useEffect, useRef } from 'react';
import type { LiveAction } from '#contract';
import { acceleratorPattern, liveActions } from '#contract/constants.ts';
import { isTyping } from '../base/keyboard.ts';
import { createStore } from '../base/store.ts';
import { takesSpace } from '../ui/key-takers.ts';
import type { PresetName } from '../viewer/morphs.ts';
import { interruptSession } from './live-session.ts';
import { liveSettings } from './live-settings.ts';
import { expressionNow } from './shown-face.ts';

/** The expression of each key, from 1 on. */
export const expressions = {
  expression1: 'smile',
  expression2: 'laugh',
  expression3: 'surprise',
  expression4: 'sadness',
  expression5: 'anger',
  expression6: 'wink',
  expression7: 'kiss',
  expression8: 'disgust',
  expression9: 'blink',
} as const satisfies Partial<Record<LiveAction, PresetName>>;

/** Their actions, in the order of their keys. */
export const expressionActions = Object.keys(expressions) as (keyof typeof expressions)[];

const isExpression = (action: LiveAction): action is keyof typeof expressions => action in expressions;

/** The name of an action, for people. */
export const actionWords = (action: LiveAction) =>
  isExpression(action)
    ? (`viewer:presets.${expressions[action]}` as const)
    : (`live:actions.${action}` as const);

/** Whether the talk key is held, or was pressed once where its release is not known. */
export const talking = createStore(false);
/** Whether nothing of the voice is sent, recorded or heard back. */
export const muted = createStore(false);
export const toggleMuted = (): void => muted.set(!muted.get());

const toggleExpression = (name: PresetName): void =>
  expressionNow.set(expressionNow.get() === name ? null : name);

/** Actions that are available on every page. */
const anywhere: Partial<Record<LiveAction, () => void>> = {
  interrupt: interruptSession,
  talk: () => talking.set(!talking.get()),
  mute: toggleMuted,
  ...Object.fromEntries(
    Object.entries(expressions).map(([action, name]) => [action, () => toggleExpression(name)]),
  ),
};
/** Actions that need Live on the screen, registered by the component that does them. */
const onScreen = new Map<LiveAction, () => void>();

/** Runs the action, as its key would. @returns false if it is not available now */
export function perform(action: LiveAction): boolean {
  const act = onScreen.get(action) ?? anywhere[action];
  act?.();
  return act !== undefined;
}

/** Registers what an action does while the component is on the screen. */
export function useLiveAction(action: LiveAction, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const mine = (): void => latest.current();
    onScreen.set(action, mine);
    return () => {
      if (onScreen.get(action) === mine) onScreen.delete(action);
    };
  }, [action]);
}

/** The key of an event as settings keep it: `r`, `5`, `F3`, and `Space`. */
export const keyOf = ({ key }: Pick<KeyboardEvent, 'key'>): string =>
  key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key;

/** The same key as tables of actions write it: `R`, `5`, `F3`, and a space. */
export const tableKeyOf = (key: string): string =>
  key === 'Space' ? ' ' : key.length === 1 ? key.toUpperCase() : key;

/**
 * A key press as an Electron accelerator, by the key's position, because Control and Alt change its
 * character; null if it can't be a system-wide key.
 */
export function acceleratorOf(
  event: Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>,
): string | null {
  const key = event.code.replace(/^(Key|Digit)/, '');
  const accelerator = [
    ...(event.ctrlKey ? ['Control'] : []),
    ...(event.altKey ? ['Alt'] : []),
    ...(event.shiftKey ? ['Shift'] : []),
    ...(event.metaKey ? ['Command'] : []),
    key,
  ].join('+');
  return acceleratorPattern.test(accelerator) ? accelerator : null;
}

/** A closed select keeps the focus after a choice, but ignores letters. */
const isClosedList = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.readOnly && target.ariaExpanded !== 'true';

/** The action of a key press; null if there is none. */
function actionOf(event: KeyboardEvent): LiveAction | null {
  if (event.defaultPrevented || event.isComposing) return null;
  if (isTyping(event.target) && !isClosedList(event.target)) return null;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const key = keyOf(event);
  // Keys that activate the focused element are left to it.
  if ((key === 'Space' || key === 'Enter') && takesSpace(event.target)) return null;
  const { keys } = liveSettings();
  return liveActions.find((action) => keys[action] === key) ?? null;
}

/**
 * Binds the keys to this window.
 *
 * @param act - Runs the action of a press.
 * @param talk - Called when the talk key goes down and comes up.
 * @returns a function that unbinds them
 */
export function bindLiveKeys(act: (action: LiveAction) => void, talk: (isDown: boolean) => void): () => void {
  let pressedKey = '';
  const release = (): void => {
    if (pressedKey) talk(false);
    pressedKey = '';
  };
  const down = (event: KeyboardEvent): void => {
    const action = actionOf(event);
    if (!action) return;
    if (action === 'talk' && !liveSettings().pushToTalk) return;
    event.preventDefault();
    if (event.repeat) return;
    if (action !== 'talk') act(action);
    else {
      pressedKey = keyOf(event);
      talk(true);
    }
  };
  const up = (event: KeyboardEvent): void => {
    if (keyOf(event) === pressedKey) release();
  };
  window.addEventListener('keydown', down);
  window.addEventListener('keyup', up);
  window.addEventListener('blur', release);
  return () => {
    window.removeEventListener('keydown', down);
    window.removeEventListener('keyup', up);
    window.removeEventListener('blur', release);
    release();
  };
}
