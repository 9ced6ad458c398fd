interface StyleRule {
  /** Blank for elements of any name. */
  tag: string;
  /** Declarations such as `font-weight: 700`, by property. */
  style: Map<string, string>;
}

/** Properties of marks and lists. Fonts are not among them: that of a plain mail makes no code. */
const READ_PROPERTIES =
  /^(font-weight|font-style|text-decoration|vertical-align|font-variant-position|background|background-color|mso-list|mso-highlight|mso-level-number-format|mso-text-raise)$/;

/** The style sheets in HTML of Word, Excel and Apple's programs, whose elements name their styles by class. */
export class StyleSheets {
  private readonly rules = new Map<string, StyleRule[]>();
  /** Number formats of the levels of Word's lists, by `l0:level1`. */
  private readonly formats = new Map<string, string>();

  constructor(html: string) {
    for (const [, sheet = ''] of html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/gi))
      for (const rule of sheet.replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, '').split('}')) {
        const [body = '', selectors = ''] = rule.split('{').reverse();
        this.read(selectors, body);
      }
  }

  private read(selectors: string, body: string): void {
    const declarations = body.split(';').map((one) => {
      const [property = '', ...value] = one.split(':');
      return [property.trim().toLowerCase(), value.join(':').trim()] as const;
    });
    const style = new Map(declarations.filter(([property]) => READ_PROPERTIES.test(property)));
    for (const selector of selectors.split(',')) {
      const [, level] = /@list (\S+)$/.exec(selector.trim()) ?? [];
      if (level !== undefined) this.formats.set(level, style.get('mso-level-number-format') ?? 'decimal');
      const [, tag = '', name] = /^(\w*)\.([\w-]+)$/.exec(selector.trim()) ?? [];
      if (name !== undefined) this.rules.set(name, [...(this.rules.get(name) ?? []), { tag, style }]);
    }
  }

  /** Adds the styles of an element's classes to its `data-style`, whose own declarations win. */
  apply(element: Element): void {
    const own = element.getAttribute('data-style') ?? '';
    const added = [...element.classList]
      .flatMap((name) => this.rules.get(name) ?? [])
      .filter(({ tag }) => tag === '' || tag.toLowerCase() === element.localName)
      .flatMap(({ style }) => [...style])
      .filter(([property]) => !new RegExp(`(?:^|[;\\s])${property}\\s*:`, 'i').test(own));
    if (added.length === 0) return;
    element.setAttribute('data-style', [own, ...added.map((one) => one.join(':'))].join(';'));
  }

  /** True if the level of a list of Word has numbers. */
  isNumbered(list: string, level: number): boolean {
    const format = this.formats.get(`${list}:level${level}`);
    return format !== undefined && !/bullet|image|none/i.test(format);
  }
}

/** Converts the styles of marks, such as bold and superscript, to elements, which the schema can parse. */
export function readStyle(element: HTMLElement): void {
  const style = element.dataset['style'] ?? '';
  delete element.dataset['style'];
  // Google Docs wraps everything in a `<b style="font-weight: normal">`, which is not bold.
  if (/^(b|strong)$/i.test(element.tagName) && /(?<!-)font-weight:\s*(normal|400)/i.test(style)) {
    element.replaceWith(...element.childNodes);
    return;
  }
  if (!/^(span|font|p|a|li|td|th)$/i.test(element.tagName)) return;
  // What is bold as a whole, as the heads of spreadsheets are, is no emphasis.
  const isCell = element.matches('td, th');
  const isInHeading = isCell || element.closest('h1, h2, h3, h4, h5, h6') !== null;
  const wrap = (tag: string) => {
    const wrapper = element.ownerDocument.createElement(tag);
    wrapper.append(...element.childNodes);
    element.append(wrapper);
  };
  if (!isInHeading && /font-weight:\s*(bold|[6-9]00)/i.test(style)) wrap('strong');
  if (/font-style:\s*italic/i.test(style)) wrap('em');
  if (/text-decoration[^;]*line-through/i.test(style)) wrap('s');
  // In other elements, it places a box.
  const isInline = element.matches('span, font, a');
  if (isInline && RAISED.test(style)) wrap('sup');
  if (isInline && LOWERED.test(style)) wrap('sub');
  if (element.tagName === 'SPAN' && isHighlighted(style)) wrap('mark');
  // Links are underlined everywhere.
  if (
    /text-decoration[^;]*underline/i.test(style) &&
    element.closest('a') === null &&
    element.querySelector('a') === null
  )
    wrap('u');
  if (!isCell && MONOSPACE.test(style)) wrap('code');
}

/** A length that is more than the adjustment of a badge or a symbol to its line. */
const SHIFT = String.raw`(?:(?:[2-9]|\d\d)(?:\.\d+)?p[tx]|0?\.[2-9]\d*e[mx]|[2-9]\d(?:\.\d+)?%)`;
const RAISED = new RegExp(
  String.raw`vertical-align:\s*(?:super|text-top|\+?${SHIFT})|mso-text-raise:\s*${SHIFT}|font-variant-position:\s*super`,
  'i',
);
const LOWERED = new RegExp(
  String.raw`vertical-align:\s*(?:sub|text-bottom|-${SHIFT})|mso-text-raise:\s*-${SHIFT}|font-variant-position:\s*sub`,
  'i',
);

/** Writes a script within another one with a sign, as in `10^100`, since Markdown has one level of them. Needs the styles. */
export function flattenScripts(doc: Document): void {
  for (const script of [...doc.querySelectorAll('sup, sub')].reverse()) {
    const around = script.parentElement?.closest('sup, sub');
    if (!around) continue;
    const words = script.textContent.trim();
    // The same script twice, as an element and as a style.
    const isWhole = around.textContent.trim() === words;
    const sign = script.localName === 'sup' ? '^' : '_';
    const isWord = /^[\p{L}\p{N}]+$/u.test(words);
    if (isWhole) script.replaceWith(...script.childNodes);
    else if (isWord) script.replaceWith(sign, ...script.childNodes);
    else script.replaceWith(`${sign}(`, ...script.childNodes, ')');
  }
}

/** A background of any colour but white is a highlight, except the one of the page, which Chrome gives to what it copies. */
function isHighlighted(style: string): boolean {
  if (/mso-highlight:/i.test(style)) return true;
  const color = /(?:^|[;\s])background(?:-color)?:\s*(#\w+|rgba?\([^)]*\)|[a-z]+)/i
    .exec(style)?.[1]
    ?.toLowerCase();
  return (
    color !== undefined && !NO_HIGHLIGHT.test(color) && !/-webkit-text-stroke|float:\s*none/i.test(style)
  );
}

const NO_HIGHLIGHT =
  /^(#f{3,4}|#f{6}(ff)?|#\w{6}00|rgba?\(255, ?255, ?255.*|rgba\(.*[, ]0\)|white|transparent|none|inherit|initial|unset|window|url)$/;

export const MONOSPACE = /font-family:[^;]*(courier|consolas|menlo|monaco|mono\b|monospace)/i;
