import type { Profile, ProfileDraft, SecretName } from '#contract';
import type { SecretElement } from './SecretField.tsx';

export interface ChangeField {
  <K extends keyof ProfileDraft>(field: K, value: ProfileDraft[K]): void;
  /** Several at once. */
  (changes: Partial<ProfileDraft>): void;
}

/** Props of each section of a connection's form. */
export interface SectionProps {
  draft: ProfileDraft;
  change: ChangeField;
  /** A field's error by its dotted path, and the attribute by which the form finds it. */
  at(field: string): { error: string | undefined; 'data-field': string };
}

/** Props of sections with key fields. */
export interface SectionWithKeysProps extends SectionProps {
  secret(which: SecretName): {
    secret: SecretName;
    profile: Profile | undefined;
    leaves: boolean;
    disabled: boolean;
    error: string | undefined;
    register: (secret: SecretName, element: SecretElement | null) => void;
    onTyped: () => void;
  };
}
