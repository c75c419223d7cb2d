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
  /** The time if it is today, otherwise the day. */
  timeOrDate(at: number): string;
  time(at: number): string;
  date(at: number): string;
  /** `2026-11` as a month's name. */
  month(month: string): string;
}

function writtenIn(language: string): Figures {
  const numbers = new Map<string, Intl.NumberFormat>();
  // Making one takes a hundred times as long as writing a number with it.
  const formatted = (value: number, options: Intl.NumberFormatOptions): string => {
    const key = Object.values(options).join(' ');
    const format = numbers.get(key) ?? new Intl.NumberFormat(language, options);
    numbers.set(key, format);
    return format.format(value);
  };
  const number = (value: number, digits = 0): string => formatted(value, { maximumFractionDigits: digits });
  const dateTimes = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const times = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const shortTimes = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  return {
    number,
    money: (amount, currency) => {
      const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
      try {
        return formatted(amount, {
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
      return formatted(value / 1000 ** step, {
        style: 'unit',
        unit: byteUnits[step] ?? 'byte',
        unitDisplay: step === 0 ? 'long' : 'short', // the short form is “0 byte”
        maximumFractionDigits: step === 0 ? 0 : 1,
      });
    },
    percent: (share) => formatted(share, { style: 'percent', maximumFractionDigits: 0 }),
    dateTime: (at) => dateTimes.format(at),
    timeOrDate: (at) =>
      (new Date(at).toDateString() === new Date().toDateString() ? shortTimes : dates).format(at),
    time: (at) => times.format(at),
    date: (at) => dates.format(at),
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
