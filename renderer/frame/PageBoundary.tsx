import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertOctagon } from '@tabler/icons-react';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Page } from '../base/route.ts';
import { studio } from '../base/studio.ts';
import classes from './PageBoundary.module.css';

interface Props {
  page: Page;
  children: ReactNode;
  /** The person wants the place back: what it is made of may be loaded anew. */
  onAgain: () => void;
}

/** Keeps a fault in one place from taking the others down, and says what happened and what to do. */
export class PageBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo): void {
    studio.app
      .reportError({
        message: `${this.props.page}: ${error.message}`.slice(0, 4000),
        stack: `${error.stack ?? ''}${componentStack ?? ''}`.slice(0, 20_000),
      })
      .catch(() => undefined); // the log is unreachable; the screen below still says it
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const again = (): void => {
      this.props.onAgain();
      this.setState({ error: undefined });
    };
    return <Fallen page={this.props.page} error={error} again={again} />;
  }
}

function Fallen({ page, error, again }: { page: Page; error: Error; again: () => void }) {
  const { t } = useTranslation();
  const name = t(`pages.${page}`);
  return (
    <div className={classes.fallen} role="alert">
      <Stack gap="md" maw={560}>
        <IconAlertOctagon size={36} stroke={1.4} className={classes.icon} aria-hidden />
        <Title order={1}>{t('boundary.title', { page: name })}</Title>
        <Text c="dimmed">{t('boundary.text')}</Text>
        <Code block className={classes.reason}>
          {error.message}
        </Code>
        <Group gap="xs">
          <Button onClick={again}>{t('boundary.again', { page: name })}</Button>
          <Button
            variant="default"
            onClick={() => {
              navigator.clipboard.writeText(`${error.message}\n${error.stack ?? ''}`).catch(() => undefined);
            }}
          >
            {t('boundary.copy')}
          </Button>
        </Group>
      </Stack>
    </div>
  );
}
