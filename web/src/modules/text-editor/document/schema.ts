import { Schema, type DOMOutputSpec, type MarkSpec, type MarkType, type NodeSpec } from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';
import type { InlineTag } from '#libs/contract/inline-tags.js';
import { sameOriginUrl } from '../../../shared/lib/same-origin-url';
import { formulaOf } from './formula';
import { isOwnImage } from '../../../shared/markdown/own-image';

/** A heading `#` becomes an `h3`, since the page has headings of its own. rendered-markdown.tsx does the same. */
const LEVELS_LOWER = 2;
const LOWEST_TAG = 6;

const attribute = (dom: HTMLElement, name: string) => dom.getAttribute(name);

/** Refuses other Markdown than formulas: pasted HTML can have the attribute too. */
function formulaAttributes(dom: HTMLElement, isBlock = false) {
  const formula = formulaOf(attribute(dom, 'data-math') ?? '');
  if (formula === null || (isBlock && !formula.display)) return false;
  return { ...formula };
}

const tables = tableNodes({
  tableGroup: 'block',
  cellContent: 'paragraph',
  cellAttributes: {
    align: {
      default: null,
      getFromDOM: (dom) => attribute(dom, 'align'),
      setDOMAttr: (value, attrs) => {
        if (value) attrs['align'] = value;
      },
    },
  },
});

const nodes = {
  doc: { content: 'block+' },
  paragraph: {
    content: 'inline*',
    group: 'block',
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', { dir: 'auto' }, 0],
  },
  heading: {
    attrs: { level: { default: 2 } },
    content: 'inline*',
    group: 'block',
    defining: true,
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({
      tag: `h${level}`,
      getAttrs: (dom) => ({ level: Number(attribute(dom, 'data-level') ?? level) }),
    })),
    toDOM: ({ attrs: { level } }) => [
      `h${Math.min(LOWEST_TAG, Number(level) + LEVELS_LOWER)}`,
      { dir: 'auto', 'data-level': String(level) },
      0,
    ],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  },
  code_block: {
    attrs: { lang: { default: null }, meta: { default: null } },
    content: 'text*',
    marks: '',
    code: true,
    defining: true,
    group: 'block',
    parseDOM: [
      {
        tag: 'pre',
        preserveWhitespace: 'full',
        getAttrs: (dom) => ({ lang: attribute(dom, 'data-lang') }),
      },
    ],
    toDOM: ({ attrs: { lang } }) => ['pre', lang ? { 'data-lang': String(lang) } : {}, ['code', 0]],
  },
  /** Markdown that the schema does not support (HTML, definitions, footnotes), edited as source. */
  raw_block: {
    content: 'text*',
    marks: '',
    code: true,
    defining: true,
    group: 'block',
    parseDOM: [{ tag: 'pre[data-raw]', preserveWhitespace: 'full', priority: 60 }],
    toDOM: ({ textContent }) => [
      'pre',
      { 'data-raw': '', ...(textContent.startsWith('[^') && { 'data-footnote': '' }) },
      ['code', 0],
    ],
  },
  horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  bullet_list: {
    attrs: { spread: { default: false } },
    content: 'list_item+',
    group: 'block',
    parseDOM: [{ tag: 'ul' }],
    toDOM: () => ['ul', 0],
  },
  ordered_list: {
    attrs: { start: { default: 1 }, spread: { default: false } },
    content: 'list_item+',
    group: 'block',
    parseDOM: [{ tag: 'ol', getAttrs: (dom) => ({ start: Number(attribute(dom, 'start') ?? 1) }) }],
    toDOM: ({ attrs: { start } }) => ['ol', start === 1 ? {} : { start: String(start) }, 0],
  },
  /** `checked` is null if the item is not a task. */
  list_item: {
    attrs: { checked: { default: null }, spread: { default: false } },
    content: 'block+',
    defining: true,
    parseDOM: [
      {
        tag: 'li',
        getAttrs: (dom) => {
          const box = dom.querySelector(':scope > input, :scope > p > input, :scope > label input');
          return { checked: box instanceof HTMLInputElement ? box.checked : null };
        },
      },
    ],
    toDOM: ({ attrs: { checked } }) => (checked === null ? ['li', 0] : taskItem(checked === true)),
  },
  ...tables,
  text: { group: 'inline' },
  /** A formula in a line. `source` is its Markdown with the delimiters. */
  math: {
    inline: true,
    group: 'inline',
    atom: true,
    attrs: { source: {}, tex: {}, display: { default: false } },
    leafText: ({ attrs }) => String(attrs['source']),
    parseDOM: [{ tag: 'span[data-math]', priority: 60, getAttrs: formulaAttributes }],
    toDOM: ({ attrs }) => ['span', { 'data-math': String(attrs['source']) }, String(attrs['source'])],
  },
  /** A formula on lines of its own. */
  math_block: {
    group: 'block',
    atom: true,
    attrs: { source: {}, tex: {} },
    leafText: ({ attrs }) => String(attrs['source']),
    parseDOM: [
      {
        tag: 'div[data-math]',
        priority: 60,
        getAttrs: (dom) => formulaAttributes(dom, true),
      },
    ],
    toDOM: ({ attrs }) => ['div', { 'data-math': String(attrs['source']) }, String(attrs['source'])],
  },
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  /**
   * An image. Images from other servers are shown as links, since loading them would disclose the reader's IP address to
   * those servers.
   */
  image: {
    inline: true,
    group: 'inline',
    attrs: { src: {}, alt: { default: '' }, title: { default: null } },
    parseDOM: [
      {
        tag: 'img[src]',
        getAttrs: (dom) => {
          const src = attribute(dom, 'src') ?? '';
          // Images copied from this site have absolute URLs in the clipboard, so convert them to paths.
          const path = URL.canParse(src, location.href) ? sameOriginUrl(src) : '';
          if (!isOwnImage(path) && !/^https?:/i.test(src)) return false;
          return {
            src: isOwnImage(path) ? path : src,
            alt: attribute(dom, 'alt') ?? '',
            title: attribute(dom, 'title'),
          };
        },
      },
      {
        tag: 'a[data-image]',
        priority: 60,
        getAttrs: (dom) => ({ src: attribute(dom, 'data-image'), alt: dom.textContent }),
      },
    ],
    toDOM: ({ attrs: { src, alt } }) =>
      isOwnImage(String(src))
        ? ['img', { src: String(src), alt: String(alt) || 'Image' }]
        : ['a', { 'data-image': String(src) }, String(alt) || 'Image'],
  },
} satisfies Record<string, NodeSpec>;

const taskItem = (checked: boolean): DOMOutputSpec => [
  'li',
  { 'data-checked': String(checked) },
  [
    'label',
    { contenteditable: 'false' },
    ['input', { type: 'checkbox', 'aria-label': 'Done', tabindex: '-1', ...(checked && { checked: '' }) }],
  ],
  ['div', 0],
];

const SAFE_ADDRESS = /^(https?:|mailto:|#)/i;

const marks = {
  link: {
    attrs: { href: {}, title: { default: null } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (dom) => {
          const href = attribute(dom, 'href') ?? '';
          return SAFE_ADDRESS.test(href) ? { href, title: attribute(dom, 'title') } : false;
        },
      },
    ],
    toDOM: ({ attrs: { href, title } }) => [
      'a',
      {
        ...(SAFE_ADDRESS.test(String(href)) && { href: String(href) }),
        title: title === null ? null : String(title),
        rel: 'noopener noreferrer nofollow',
      },
      0,
    ],
  },
  em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
  strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
  strike: { parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }], toDOM: () => ['s', 0] },
  underline: {
    parseDOM: [{ tag: 'u' }, { tag: 'ins' }],
    toDOM: () => ['u', 0],
  },
  highlight: { parseDOM: [{ tag: 'mark' }], toDOM: () => ['mark', 0] },
  superscript: { excludes: 'subscript', parseDOM: [{ tag: 'sup' }], toDOM: () => ['sup', 0] },
  subscript: { excludes: 'superscript', parseDOM: [{ tag: 'sub' }], toDOM: () => ['sub', 0] },
  code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
  /** Inline Markdown that the schema does not support (HTML, references, footnote marks), as source. */
  raw: {
    code: true,
    inclusive: false,
    excludes: 'em strong strike code',
    parseDOM: [{ tag: 'span[data-raw]' }],
    toDOM: () => ['span', { 'data-raw': '' }, 0],
  },
} satisfies Record<string, MarkSpec>;

/** Document model for CommonMark and GitHub Flavored Markdown. */
export const schema = new Schema<keyof typeof nodes, keyof typeof marks>({ nodes, marks });

/** The marks of tags. */
export const taggedMarks: Record<InlineTag, MarkType> = {
  sup: schema.marks.superscript,
  sub: schema.marks.subscript,
  u: schema.marks.underline,
  mark: schema.marks.highlight,
  strong: schema.marks.strong,
  em: schema.marks.em,
  del: schema.marks.strike,
};
