/** Formats numbers, money, times and sizes in the person's language. */
import { useTranslation } from 'react-i18next';

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export interface Figures {
  number(value: number, digits?: number): string;
  /** An amount in an ISO 4217 currency; small prices keep the digits that matter. */
  money(amount: number, currency: string): string;
  milliseconds(value: number): string;
  seconds(value: number): string;
  bytes(value: number): string;
  percent(share: number): string;
  /** Milliseconds since 1970. */
  dateTime(at: number): string;
  time(at: number): string;
  date(at: number): string;
  /** `2026-11` as a month's name. */
  month(month: string): string;
}

function writtenIn(language: string): Figures {
  const number = (value: number, digits = 0): string =>
    value.toLocaleString(language, { maximumFractionDigits: digits });
  return {
    number,
    money: (amount, currency) => {
      const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
      try {
        return amount.toLocaleString(language, {
          style: 'currency',
          currency,
          maximumFractionDigits: digits,
          minimumFractionDigits: 2,
        });
      } catch {
        return `${number(amount, digits)} ${currency}`; // not a currency that Intl accepts
      }
    },
    milliseconds: (value) => `${number(value, value < 10 ? 1 : 0)}\u202fms`,
    seconds: (value) => `${number(value, value < 10 ? 2 : 1)}\u202fs`,
    bytes: (value) => {
      const step = Math.min(3, Math.floor(Math.log(Math.max(1, value)) / Math.log(1000)));
      return (value / 1000 ** step).toLocaleString(language, {
        style: 'unit',
        unit: byteUnits[step] ?? 'byte',
        unitDisplay: 'short',
        maximumFractionDigits: step === 0 ? 0 : 1,
      });
    },
    percent: (share) => share.toLocaleString(language, { style: 'percent', maximumFractionDigits: 0 }),
    dateTime: (at) => new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' }),
    time: (at) => new Date(at).toLocaleTimeString(language, { timeStyle: 'medium' }),
    date: (at) => new Date(at).toLocaleDateString(language, { dateStyle: 'medium' }),
    month: (month) =>
      new Date(`${month}-01T00:00:00Z`).toLocaleDateString(language, {
        year: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      }),
  };
}

const byLanguage = new Map<string, Figures>();

function figuresIn(language: string): Figures {
  const known = byLanguage.get(language) ?? writtenIn(language);
  byLanguage.set(language, known);
  return known;
}

export const useFigures = (): Figures => figuresIn(useTranslation().i18n.language);
