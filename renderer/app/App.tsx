import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Frame } from './Frame.tsx';
import { followFaults } from './notices.tsx';
import { followRooms, queryClient } from './rooms.ts';
import { Themed } from './Themed.tsx';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Dressed>
        <Frame />
      </Dressed>
    </QueryClientProvider>
  );
}

/** The studio's look, and what it hears from its rooms, for whatever is inside. */
export function Dressed({ children }: { children: ReactNode }) {
  useEffect(followFaults, []);
  useEffect(followRooms, []);
  return <Themed>{children}</Themed>;
}
