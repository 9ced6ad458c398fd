import type { Fact } from './fact.js';
import { readSpelled, spelledRun } from '../spelled-numbers.js';
import { magnitudes, moneyMagnitudes, unitOf, unitPattern } from './units.js';

/** Letters of scripts with spaces between words; a digit within such a word is no number. */
export const spacedLetter = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}`;

const currency = String.raw`(?:US|CA|C|AU|A|NZ|HK)?\$|[€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|INR)\s?`;
const digits = String.raw`\d+(?:[.,'’\u00A0\u202F]\d+)*`;
const magnitude = [...magnitudes.keys(), ...moneyMagnitudes.keys()]
  .sort((a, b) => b.length - a.length)
  .join('|');
const end = String.raw`(?![${spacedLetter}\d])`;

/** The ordinal suffix, or magnitude and unit, after a value. */
const tail = String.raw`(?:(?<ordinal>st|nd|rd|th|s)${end}|(?:[\s-]?(?<magnitude>${magnitude})${end})?(?:[\s-]?(?<unit>${unitPattern})${end})?)`;

const numeric = new RegExp(
  String.raw`(?<![${spacedLetter}\d][.,]?)(?<sign>(?<![${spacedLetter}\d)\s])[-−](?=[\d$€£¥₹])|(?<=\s)[-−](?=[\d$€£¥₹]))?(?<currency>${currency})?(?<digits>${digits}(?:[-–/:]${digits})*)${tail}`,
  'giu',
);
const spelled = new RegExp(
  String.raw`(?<![${spacedLetter}\d-])(?<run>${spelledRun})(?:[\s-](?<unit>${unitPattern}))?${end}`,
  'giu',
);

interface Found extends Fact {
  start: number;
  end: number;
  unit: string | undefined;
}

/** The numbers of a plain text, with unit, currency or ordinal, in digits or in English words. */
export function numbersIn(plain: string): Fact[] {
  const text = withPlainDigits(plain);
  const figures = [...numericIn(text)];
  // "million" in "$5 million" is already part of a number.
  const inWords = [...spelledIn(text)].filter(
    ({ start }) => !figures.some((it) => it.start <= start && start < it.end),
  );
  const found = [...figures, ...inWords].sort((a, b) => a.start - b.start);
  shareUnits(found, text);
  return found.map(({ key, unit, text: words, weak }) => ({
    kind: 'number',
    key: unit ? `${key} ${unit}` : key,
    text: words,
    weak,
  }));
}

function* numericIn(text: string): Generator<Found> {
  for (const match of text.matchAll(numeric)) {
    const { digits: value = '', sign, currency: money, ordinal, magnitude: scale, unit } = match.groups ?? {};
    const before = money ? (unitOf(money.trim()) ?? money.trim()) : undefined;
    const base = {
      kind: 'number' as const,
      text: match[0].trim(),
      weak: false,
      start: match.index,
      end: match.index + match[0].length,
    };
    const range = rangeOf(value);
    const lower = scale?.toLowerCase() ?? '';
    // "5 m" is a length, "$5M" an amount; without money the letter is read as a unit.
    const asUnit = !before && moneyMagnitudes.has(lower) ? unitOf(lower) : undefined;
    const factor = magnitudes.get(lower) ?? (before ? moneyMagnitudes.get(lower) : undefined) ?? 1;
    const named =
      before ?? asUnit ?? (unit ? unitOf(unit) : undefined) ?? (asLetter(before, lower) || undefined);
    for (const part of range) {
      const key =
        ordinal === 's' ? `${part}s` : `${sign ? '-' : ''}${scaled(part, factor)}${ordinal ? 'th' : ''}`;
      yield { ...base, key, unit: named };
    }
  }
}

/** A letter after a number that is neither a unit nor a magnitude is part of the value: "5B". */
const asLetter = (money: string | undefined, letter: string) =>
  !money && moneyMagnitudes.has(letter) && !unitOf(letter) ? letter : '';

function* spelledIn(text: string): Generator<Found> {
  for (const match of text.matchAll(spelled)) {
    const { run = '', unit } = match.groups ?? {};
    const numbers = readSpelled(run);
    for (const [index, { value, ordinal, weak, start, end: stop }] of numbers.entries()) {
      const named = index === numbers.length - 1 && unit && !ordinal ? unitOf(unit) : undefined;
      yield {
        kind: 'number',
        key: `${value}${ordinal ? 'th' : ''}`,
        unit: named,
        text: named ? match[0] : run.slice(start, stop),
        // "one percent" is a number, "one day" may be any day.
        weak: weak && !/^[%$€£¥₹]|^point$/.test(named ?? ''),
        start: match.index + start,
        end: match.index + (named ? match[0].length : stop),
      };
    }
  }
}

/** "10–12%" and "10 to 12 percent": the first number has the unit of the second. */
function shareUnits(found: Found[], text: string): void {
  for (const [index, number] of found.entries()) {
    const next = found[index + 1];
    if (!next?.unit || number.unit || number.weak) continue;
    const between = text.slice(number.end, next.start);
    const isBetween = /^\s*and\s*$/.test(between) && /\bbetween\s+$/i.test(text.slice(0, number.start));
    if (isBetween || /^\s*(?:-|–|—|to)\s*$/u.test(between)) number.unit = next.unit;
  }
}

/** A value, or both ends of a range. Other numbers of several parts (dates, times, phone numbers) are one value. */
function rangeOf(text: string): string[] {
  const ends = text.split(/[-–]/);
  const [from = '', to = ''] = ends;
  const isRange = ends.length === 2 && !/[/:]/.test(text) && !/^0\d/.test(from) && !/^0\d/.test(to);
  return isRange && Number(valueOf(from)) < Number(valueOf(to)) ? [from, to] : [text];
}

function scaled(text: string, factor: number): string {
  const value = valueOf(text);
  if (factor === 1 || !/^\d+(?:\.\d+)?$/.test(value)) return value;
  return String(Number((Number(value) * factor).toPrecision(12)));
}

/** Normalises digits: no grouping, a decimal point. */
function valueOf(text: string): string {
  if (/^0\d/.test(text)) return text;
  if (/^\d{1,3}(?:[,'’\u00A0\u202F]\d{3})+(?:\.\d+)?$/.test(text))
    return trimmed(text.replace(/[,'’\u00A0\u202F]/g, ''));
  if (/^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/.test(text)) {
    return trimmed(text.replaceAll('.', '').replace(',', '.'));
  }
  if (/^\d+,\d+$/.test(text)) return trimmed(text.replace(',', '.'));
  if (/^\d+\.\d+$/.test(text)) return trimmed(text);
  return text.replaceAll('–', '-');
}

/** Removes decimal zeros: "2.0" equals "2". Versions such as "2.10" stay unchanged. */
const trimmed = (value: string) => value.replace(/\.0+$/, '');

/** Converts the digits of every script to ASCII. */
const withPlainDigits = (text: string) =>
  text.replace(/\p{Nd}/gu, (digit) =>
    /[0-9]/.test(digit) ? digit : String(digitValue(digit)).padEnd(digit.length),
  );

function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  // The digits of a script are consecutive, zero first.
  for (let value = 9; value > 0; value -= 1) {
    if (
      /^\p{Nd}{2}$/u.test(String.fromCodePoint(point - value, point)) &&
      !/\p{Nd}/u.test(String.fromCodePoint(point - value - 1))
    ) {
      return value;
    }
  }
  return 0;
}
