/** The open tab of the inspector. It stays open from take to take. */
import { createStore } from '../../base/store.ts';

export const inspectorTabs = ['take', 'selected', 'overdub'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

export const inspectorTab = createStore<InspectorTab>('take');

/** While an overdub is recorded, a click in the timeline does not take its panel away. */
export const isOverdubRecording = createStore(false);

/** A click shows the clicked part. */
export function showSelected(): void {
  if (!isOverdubRecording.get()) inspectorTab.set('selected');
}
