import words from './posting-text.json' with { type: 'json' };

const entities = new Map(Object.entries(words.entities));
const blocks = new Set(words.blocks);
const tags = [...words.blocks, ...words.inline].join('|');
/** Known tags only, so that "vector<int>" stays. Attributes are short. */
const TAG = new RegExp(String.raw`<(\/?)(${tags})(?=[\s/>])[^<>]{0,2000}>`, 'gi');
const NOT_TEXT = /<(script|style|template|noscript)\b[^<>]{0,500}>[^<]*(?:<(?!\/\1)[^<]*)*(?:<\/\1\s*>|$)/gi;
const COMMENT = /<!--[^>]*(?:(?<!--)>[^>]*)*(?:-->|$)/g;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi;

/** A job description as plain text: HTML loses its tags, and its list items and paragraphs become lines. */
export function postingText(jobDescription: string): string {
  if (!/<\/?[a-z][^<>]*>|&(?:#\w+|\w{2,8});/i.test(jobDescription)) return jobDescription;
  // A text that was copied from the source of a page has its tags as entities.
  const source = /&lt;\/?(?:p|li|ul|div|br)\b/i.test(jobDescription)
    ? withEntities(jobDescription)
    : jobDescription;
  const plain = source
    .replace(NOT_TEXT, '\n')
    .replace(COMMENT, ' ')
    .replace(TAG, (_, slash: string, tag: string) =>
      tag.toLowerCase() === 'li' && slash === '' ? '\n- ' : blocks.has(tag.toLowerCase()) ? '\n' : '',
    );
  return withEntities(plain)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(/\n- (?:\n- )*(?=\n|$)/g, '')
    .trim();
}

const withEntities = (text: string) =>
  text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities.get(name) ?? entities.get(name.toLowerCase()) ?? entity;
    const point = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    return point > 8 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
      ? String.fromCodePoint(point)
      : ' ';
  });
