const groups: Record<string, string> = {
  '%': '%|percent|per cent',
  '‰': '‰|per mille',
  point: 'percentage point|percentage points',
  $: 'dollar|dollars|usd|us$',
  '€': 'euro|euros|eur',
  '£': 'gbp',
  '¥': 'yen|jpy',
  '₹': 'rupee|rupees|inr',
  CHF: 'chf|franc|francs',
  s: 's|sec|secs|second|seconds',
  min: 'min|mins|minute|minutes',
  h: 'h|hr|hrs|hour|hours',
  day: 'day|days',
  week: 'week|weeks|wk|wks',
  month: 'month|months',
  year: 'year|years|yr|yrs',
  decade: 'decade|decades',
  century: 'century|centuries',
  ms: 'ms|millisecond|milliseconds',
  am: 'am|a.m.',
  pm: 'pm|p.m.',
  mm: 'mm|millimeter|millimeters|millimetre|millimetres',
  cm: 'cm|centimeter|centimeters|centimetre|centimetres',
  m: 'm|meter|meters|metre|metres',
  km: 'km|kilometer|kilometers|kilometre|kilometres',
  in: 'inch|inches',
  ft: 'ft|foot|feet',
  yd: 'yd|yard|yards',
  mi: 'mi|mile|miles',
  mg: 'mg|milligram|milligrams',
  g: 'g|gram|grams',
  kg: 'kg|kilo|kilos|kilogram|kilograms',
  t: 't|ton|tons|tonne|tonnes',
  lb: 'lb|lbs|pound|pounds',
  oz: 'oz|ounce|ounces',
  ml: 'ml|milliliter|milliliters|millilitre|millilitres',
  l: 'l|liter|liters|litre|litres',
  gal: 'gal|gallon|gallons',
  '°': '°|degree|degrees',
  '°C': '°c|degrees celsius',
  '°F': '°f|degrees fahrenheit',
  'km/h': 'km/h|kph|kmh',
  mph: 'mph|miles per hour',
  KB: 'kb|kilobyte|kilobytes',
  MB: 'mb|megabyte|megabytes',
  GB: 'gb|gigabyte|gigabytes',
  TB: 'tb|terabyte|terabytes',
  Hz: 'hz|hertz',
  MHz: 'mhz|megahertz',
  GHz: 'ghz|gigahertz',
  W: 'w|watt|watts',
  kW: 'kw|kilowatt|kilowatts',
  kWh: 'kwh|kilowatt-hour|kilowatt-hours',
  px: 'px|pixel|pixels',
};

const canonical = new Map(
  Object.entries(groups).flatMap(([unit, names]) => names.split('|').map((name) => [name, unit] as const)),
);

/** The normalised unit or currency; undefined if it is none. */
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
