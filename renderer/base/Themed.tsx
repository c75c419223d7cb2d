import { MantineProvider } from '@mantine/core';
import { useColorScheme, useReducedMotion } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { speak } from './language.ts';
import { notifyFailure } from './notices.tsx';
import { useSettings } from './studio-queries.ts';
import { cssVariables, theme } from './theme.ts';

/** Theme, motion and language as the settings have them, for whatever is inside: any window of the studio. */
export function Themed({ children }: { children: ReactNode }) {
  const settings = useSettings();
  const system = useColorScheme('dark');
  const calmSystem = useReducedMotion();
  const calm = settings.reducedMotion === 'system' ? calmSystem : settings.reducedMotion === 'on';

  useEffect(() => {
    speak(settings.language).catch(notifyFailure);
  }, [settings.language]);
  useEffect(() => {
    document.documentElement.dataset.motion = calm ? 'reduced' : 'full';
  }, [calm]);

  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      forceColorScheme={settings.theme === 'system' ? system : settings.theme}
    >
      {children}
    </MantineProvider>
  );
}
