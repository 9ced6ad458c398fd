import data from './magnitudes.json' with { type: 'json' };
import units from './units.json' with { type: 'json' };

const canonical = new Map(
  Object.entries(units).flatMap(([unit, names]) => names.map((name) => [name, unit] as const)),
);

/** The normalised unit or currency; undefined for other words. */
export const unitOf = (text: string) => canonical.get(text.toLowerCase().replace(/\s+/gu, ' '));

const escape = (text: string) => text.replace(/[$.*+?^()|[\]\\/]/g, '\\$&').replace(/ /g, '\\s+');

/** A regular expression's alternatives for every unit, longest first. */
export const unitPattern = [...canonical.keys()]
  .sort((a, b) => b.length - a.length)
  .map(escape)
  .join('|');

export const magnitudes = new Map(Object.entries(data.numbers));
/** Letters that are magnitudes only of amounts of money: "$5M", but "5 m" is a length. */
export const moneyMagnitudes = new Map(Object.entries(data.money));
