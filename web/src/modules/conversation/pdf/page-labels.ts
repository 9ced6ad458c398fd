/** A page to show: by its number, from 1, or by its printed label. */
export type PageReference = { page: number } | { label: string };

/** How to name a page: its printed label, if it has one that differs from its number. */
export function pageName(labels: readonly string[] | null, page: number): string {
  return labels?.[page - 1] || String(page);
}

/** The number of the page with a label, or else with a number. Case counts only if several labels differ by it. */
export function findPage(labels: readonly string[] | null, text: string, pageCount: number): number | null {
  const wanted = text.trim();
  const index = labels?.indexOf(wanted) ?? -1;
  if (index !== -1) return index + 1;
  const folded = labels?.findIndex((label) => label !== '' && label.toLowerCase() === wanted.toLowerCase());
  if (folded !== undefined && folded !== -1) return folded + 1;
  const number = Number(/^\d+/.exec(wanted)?.[0]);
  return number >= 1 ? Math.min(number, pageCount) : null;
}

/** Labels that say more than the page's number; null if none does. */
export function usefulLabels(labels: readonly string[] | null): readonly string[] | null {
  return labels?.some((label, index) => label !== '' && label !== String(index + 1)) ? labels : null;
}
