import type { DefaultTreeAdapterTypes } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

/** The simple selectors (`.name`, `#name`, `name`) that a page's own style sheets hide. */
export type HiddenRules = ReadonlySet<string>;

const HIDING =
  /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$))/i;
const MAX_STYLES_CHARACTERS = 1_000_000;

/** Reads the style sheets of a page, without rules for printing or for small screens. */
export function findHiddenRules(html: Element): HiddenRules {
  const css = stylesOf(html)
    .join('\n')
    .slice(0, MAX_STYLES_CHARACTERS)
    .replace(/\/\*[\s\S]*?\*\//g, '');
  const hidden = new Set<string>();
  for (const [, selectors = '', declarations = ''] of withoutAtRules(css).matchAll(/([^{}]*)\{([^{}]*)\}/g)) {
    const hides = HIDING.test(declarations);
    for (const selector of selectors.split(',').map((one) => one.trim().toLowerCase())) {
      if (!/^[.#]?[\w-]+$/.test(selector)) continue;
      if (hides) hidden.add(selector);
      else if (/(?:^|[;\s])(?:display|visibility)\s*:/i.test(declarations)) hidden.delete(selector);
    }
  }
  return hidden;
}

/** Removes blocks such as `@media print { … }`, whose rules may not hold. */
function withoutAtRules(css: string): string {
  let kept = '';
  let depth = 0;
  for (const piece of css.split(/(@[^{};]*\{|[{}])/)) {
    const opens = piece.endsWith('{');
    if (depth === 0 && !piece.startsWith('@')) kept += piece;
    else if (opens) depth += 1;
    else if (piece === '}') depth -= 1;
  }
  return kept;
}

function stylesOf(element: Element): string[] {
  const found: string[] = [];
  const waiting = [element];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const node of next.childNodes) {
      if (!('tagName' in node)) continue;
      if (node.tagName === 'style')
        found.push(node.childNodes.map((text) => ('value' in text ? text.value : '')).join(''));
      else waiting.push(node);
    }
  }
  return found;
}

/** True if a browser does not show the element. */
export function isHidden({ tagName, attrs }: Element, rules: HiddenRules): boolean {
  const attributes = new Map(attrs.map(({ name, value }) => [name, value]));
  if (attributes.has('hidden') || (tagName === 'dialog' && !attributes.has('open'))) return true;
  if (HIDING.test(attributes.get('style') ?? '')) return true;
  if (rules.size === 0) return false;
  const classes = (attributes.get('class') ?? '').toLowerCase().split(/\s+/);
  return (
    rules.has(tagName) ||
    rules.has(`#${(attributes.get('id') ?? '').toLowerCase()}`) ||
    classes.some((name) => rules.has(`.${name}`))
  );
}
