import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SendState } from '#contract';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { queryClient } from '../base/studio-queries.ts';

const key = ['send'];
const keep = (state: SendState): void => void queryClient.setQueryData(key, state);

/** Returns the state of sending and receiving; undefined until it is known. */
export function useSendState(): SendState | undefined {
  useEffect(() => studio.send.onChanged(keep), []);
  return useQuery({ queryKey: key, queryFn: () => studio.send.state() }).data;
}

/** The same, as it is known now. */
export const sendState = (): SendState | undefined => queryClient.getQueryData(key);

/** Returns how many programs and browser sources get the face now. */
export const useReceiverCount = (): number => {
  const state = useSendState();
  return state?.hasFace ? state.targets.filter(({ on }) => on).length + state.viewers.watching : 0;
};

/** Changes the state of sending; reports a refusal. */
export const changeSending = (change: () => Promise<SendState>): void =>
  attempt(async () => keep(await change()));

/** Shows the head of this place to browser sources, while there are any. */
export function useViewersHead(modelId: string): void {
  const state = useSendState();
  const wanted = modelId === '' ? null : modelId;
  const isOther = state?.viewers.on === true && state.viewers.appearance.modelId !== wanted;
  useEffect(() => {
    if (isOther) changeSending(() => studio.send.changeViewers({ appearance: { modelId: wanted } }));
  }, [isOther, wanted]);
}
