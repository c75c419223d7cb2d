import { MantineProvider } from '@mantine/core';
import { useColorScheme, useReducedMotion } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Frame } from './Frame.tsx';
import { speak } from './language.ts';
import { followFaults, tellFailure } from './notices.tsx';
import { followRooms, queryClient, useSettings } from './rooms.ts';
import { cssVariables, theme } from './theme.ts';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Dressed>
        <Frame />
      </Dressed>
    </QueryClientProvider>
  );
}

/** Theme, motion and language as the settings have them, for whatever is inside. */
export function Dressed({ children }: { children: ReactNode }) {
  const settings = useSettings();
  const system = useColorScheme('dark');
  const calmSystem = useReducedMotion();
  const calm = settings.reducedMotion === 'system' ? calmSystem : settings.reducedMotion === 'on';

  useEffect(() => {
    speak(settings.language).catch(tellFailure);
  }, [settings.language]);
  useEffect(() => {
    document.documentElement.dataset.motion = calm ? 'reduced' : 'full';
  }, [calm]);
  useEffect(followFaults, []);
  useEffect(followRooms, []);

  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme={settings.theme === 'system' ? system : settings.theme}
    >
      <Notifications position="bottom-right" limit={4} containerWidth={380} />
      {children}
    </MantineProvider>
  );
}
