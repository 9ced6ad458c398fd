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

export const magnitudes = new Map([
  ['hundred', 1e2],
  ['thousand', 1e3],
  ['k', 1e3],
  ['million', 1e6],
  ['mn', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
  ['trillion', 1e12],
  ['tn', 1e12],
]);

/** Letters that are magnitudes only of amounts of money: "$5M", but "5 m" is a length. */
export const moneyMagnitudes = new Map([
  ['m', 1e6],
  ['b', 1e9],
  ['t', 1e12],
]);
