import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { followFaults } from '../base/notices.tsx';
import { followRooms, queryClient, useSettings } from '../base/studio-queries.ts';
import { Themed } from '../base/Themed.tsx';
import { Frame } from './Frame.tsx';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <StudioProviders>
        <Frame />
      </StudioProviders>
    </QueryClientProvider>
  );
}

/** The studio's look, and what it hears from its rooms, for whatever is inside. */
function StudioProviders({ children }: { children: ReactNode }) {
  useEffect(followFaults, []);
  useEffect(followRooms, []);
  // Of the studio's page alone: the window of the head is a picture of a size that the person chose for it.
  const { interfaceSize } = useSettings();
  useEffect(() => {
    document.documentElement.style.zoom = String(interfaceSize / 100);
    document.documentElement.style.setProperty('--lk-size', String(interfaceSize / 100));
  }, [interfaceSize]);
  return <Themed>{children}</Themed>;
}
