import { expressionNames } from '@likeness/proto/takes/edits/built_in_expressions.ts';
import { useTranslation } from 'react-i18next';

/** Returns what an expression is called: the built-in ones in the user's language. */
export function useExpressionName(): (preset: string) => string {
  const { t } = useTranslation('takes');
  return (preset) => (expressionNames.includes(preset) ? t(`editor.expressions.${preset as 'joy'}`) : preset);
}
