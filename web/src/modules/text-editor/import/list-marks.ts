const PAGE = 'word/document.xml';
const DEFINITIONS = 'word/numbering.xml';

/** The number of a list item, or what its bullet says: a box, or that the paragraph belongs to the item before. */
export type ItemMark = number | 'open' | 'done' | 'continued';

/** The bullets of pandoc for tasks, and for the further paragraphs of an item. */
const BULLETS: Record<string, ItemMark> = { '☐': 'open', '☑': 'done', '☒': 'done', ' ': 'continued' };

/**
 * The marks of the list items of a Word document, in their order; those of other bullets are numbers too. mammoth does not read
 * with which number a list begins. Items that have their list by the style of the paragraph are left out.
 */
export async function readListMarks(docx: ArrayBuffer): Promise<ItemMark[]> {
  const { strFromU8, unzipSync } = await import('fflate');
  const files = unzipSync(new Uint8Array(docx), {
    filter: ({ name }) => name === PAGE || name === DEFINITIONS,
  });
  const [page, definitions] = [PAGE, DEFINITIONS].map(
    (name) => files[name] && new DOMParser().parseFromString(strFromU8(files[name]), 'application/xml'),
  );
  if (!page || !definitions) return [];
  const starts = new Map<string, number>();
  const bullets = new Map<string, ItemMark>();
  for (const list of elementsOf(definitions, 'abstractNum'))
    for (const level of elementsOf(list, 'lvl')) {
      const key = `${valueOf(list, 'abstractNumId')} ${valueOf(level, 'ilvl')}`;
      const [start, format, text] = ['start', 'numFmt', 'lvlText'].map((name) => elementsOf(level, name)[0]);
      if (start) starts.set(key, Number(valueOf(start)));
      const bullet = format && valueOf(format) === 'bullet' && text && BULLETS[valueOf(text)];
      if (bullet) bullets.set(key, bullet);
    }
  const lists = new Map(
    elementsOf(definitions, 'num').map((list) => {
      const restarts = new Map<number, number>();
      for (const override of elementsOf(list, 'lvlOverride')) {
        const start = elementsOf(override, 'startOverride')[0];
        if (start) restarts.set(Number(valueOf(override, 'ilvl')), Number(valueOf(start)));
      }
      const base = elementsOf(list, 'abstractNumId')[0];
      return [valueOf(list, 'numId'), { base: base ? valueOf(base) : '', restarts }];
    }),
  );
  const counters = new Map<string, number[]>();
  return elementsOf(page, 'numPr').flatMap((item) => {
    const [id, depth] = ['numId', 'ilvl'].map((name) => elementsOf(item, name)[0]);
    const list = lists.get(id ? valueOf(id) : '');
    // A style has a list too, and a changed paragraph the one that it had.
    const isOfParagraph = item.parentElement?.parentElement?.localName === 'p';
    if (list === undefined || !isOfParagraph) return [];
    const level = depth ? Number(valueOf(depth)) : 0;
    const counter = counters.get(list.base) ?? [];
    const before = counter[level];
    const number =
      list.restarts.get(level) ??
      (before === undefined ? (starts.get(`${list.base} ${level}`) ?? 1) : before + 1);
    list.restarts.delete(level);
    counter[level] = number;
    // Deeper levels begin again.
    counter.length = level + 1;
    counters.set(list.base, counter);
    return [bullets.get(`${list.base} ${level}`) ?? number];
  });
}

const elementsOf = (parent: Document | Element, name: string) => [
  ...parent.getElementsByTagNameNS('*', name),
];

function valueOf(element: Element, name = 'val'): string {
  return [...element.attributes].find(({ localName }) => localName === name)?.value ?? '';
}
