const UNCHANGED = new Set(['sheep', 'skis', 'scissors']);
const IRREGULAR: Record<string, string> = { person: 'people', mouse: 'mice', knife: 'knives' };

/** The plural of an object's name. */
export function pluralOf(name: string): string {
  if (UNCHANGED.has(name)) return name;
  return IRREGULAR[name] ?? (/(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`);
}

const NUMBERS = ['no', 'a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** "a person and two chairs"; blank for none. */
export function listObjects(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) =>
    count === 1
      ? `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
      : `${NUMBERS[count] ?? count} ${pluralOf(name)}`,
  );
  const last = parts.pop();
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : (last ?? '');
}
