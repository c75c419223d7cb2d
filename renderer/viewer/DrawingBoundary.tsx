import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ViewerEmpty } from './ViewerEmpty.tsx';

/** A driver's refusal must not take the place around the view with it. */
export class DrawingBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    return this.state.error ? <Refused error={this.state.error} /> : this.props.children;
  }
}

function Refused({ error }: { error: Error }) {
  const { t } = useTranslation('viewer');
  return <ViewerEmpty title={t('failedTitle')} text={error.message} />;
}
