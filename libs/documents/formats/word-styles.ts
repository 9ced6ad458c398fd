import { childOf, elementsOf, isOn, valueOf, type XmlElement } from './xml-tree.js';

export interface ParagraphStyle {
  /** Level of the heading, from 1; null if it is none. */
  heading: number | null;
  numbering: XmlElement | undefined;
  isHidden: boolean;
  /** True if paragraphs of this style follow each other without space. */
  isTight: boolean;
}

const MAX_BASES = 20;

/** The styles of a Word document. */
export class WordStyles {
  private readonly styles = new Map<string, XmlElement>();
  private readonly resolved = new Map<string, ParagraphStyle>();
  private readonly standard: string | undefined;

  constructor(root: XmlElement | null) {
    for (const style of root ? elementsOf(root) : []) {
      const { styleId, type, default: isDefault } = style.attributes;
      if (style.name !== 'w:style' || styleId === undefined) continue;
      this.styles.set(styleId, style);
      if (type === 'paragraph' && isDefault === '1') this.standard = styleId;
    }
  }

  get(id: string | undefined): ParagraphStyle {
    const key = id ?? this.standard ?? '';
    const known = this.resolved.get(key);
    if (known) return known;
    const chain = this.chain(key);
    const properties = (name: string) =>
      chain.map((style) => childOf(childOf(style, 'w:pPr'), name)).find(Boolean);
    const style = {
      heading: headingLevel(chain, properties('w:outlineLvl')),
      numbering: properties('w:numPr'),
      isHidden: isOn(chain.map((one) => childOf(childOf(one, 'w:rPr'), 'w:vanish')).find(Boolean)),
      isTight: isOn(properties('w:contextualSpacing')),
    };
    this.resolved.set(key, style);
    return style;
  }

  /** A style and the styles that it is based on. */
  private chain(id: string): XmlElement[] {
    const chain: XmlElement[] = [];
    for (let next: string | undefined = id; next !== undefined && chain.length < MAX_BASES;) {
      const style = this.styles.get(next);
      if (!style) break;
      chain.push(style);
      next = valueOf(style, 'w:basedOn');
    }
    return chain;
  }
}

/** Word writes the names of its own styles in English, whatever the user's language. */
function headingLevel(chain: readonly XmlElement[], outline: XmlElement | undefined): number | null {
  const level = Number(outline?.attributes.val ?? NaN);
  if (level >= 0 && level <= 8) return level + 1;
  for (const style of chain) {
    const name = valueOf(style, 'w:name')?.toLowerCase() ?? '';
    const number = /^heading (\d)$/.exec(name)?.[1];
    if (number) return Number(number);
    if (name === 'title') return 1;
  }
  return null;
}
