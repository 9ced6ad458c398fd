/** White space, comments, and commas: they may be missing, or stand before a closing bracket. */
const SPACE = /(?:[\s,]+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$-]*(?=\s*:)/uy;
const NUMBER = /[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\p{L}\p{N}%/])/iuy;
const LITERAL = /(?:true|false|null|none|nan|undefined)(?![\p{L}\p{N}_])/iuy;
const QUOTES: Record<string, RegExp> = { '"': /"/, "'": /'/, '“': /["“”]/ };
/** What follows the quotation mark at the end of a name, and of a text. Others stand inside of it. */
const [AFTER_NAME, AFTER_TEXT] = [/\s*:/y, /\s*(?:[,}\]]|\/[/*]|$)|[^\S\n]*\n/y];
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const MAX_DEPTH = 50;

/**
 * Parses a JSON object or list with the mistakes that models make: comments, missing or trailing commas, other quotation
 * marks, quotation marks and line breaks inside of a text, names without them, literals of Python and JavaScript, and
 * brackets that are missing beside another one that closes.
 * Not jsonrepair 3.15: it reads `[see]` in prose as a list, and the text 'it's' as `it"s`.
 * @returns undefined if the text is something else, or is cut off
 */
export function parseLenient(source: string): unknown {
  const text = source.trim();
  if (!/^[{[]/.test(text) || !/[}\]]$/.test(text)) return undefined;
  try {
    return new LenientParser(text).parse();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class LenientParser {
  private at = 0;

  constructor(private readonly text: string) {}

  parse(): unknown {
    const value = this.readValue(0);
    this.match(SPACE);
    if (this.at < this.text.length) throw new SyntaxError('text after the value');
    return value;
  }

  private readValue(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new SyntaxError('too deep');
    const first = this.text[this.at] ?? '';
    if (first === '{')
      return Object.fromEntries(this.readItems(() => [this.readName(), this.readValue(depth + 1)]));
    if (first === '[') return this.readItems(() => this.readValue(depth + 1));
    if (QUOTES[first]) return this.readText(AFTER_TEXT);
    const number = this.match(NUMBER);
    if (number !== null) return Number(number);
    const literal = this.match(LITERAL)?.toLowerCase();
    if (literal === undefined) throw new SyntaxError('no value');
    return literal === 'true' || (literal === 'false' ? false : null);
  }

  /** Reads up to a closing bracket. The bracket of the outer value, or the end, also closes. */
  private readItems<Item>(readItem: () => Item): Item[] {
    const closing = this.text[this.at] === '{' ? '}' : ']';
    this.at += 1;
    const items: Item[] = [];
    for (;;) {
      this.match(SPACE);
      const next = this.text[this.at];
      if (next === closing) this.at += 1;
      if (next === undefined || next === '}' || next === ']') return items;
      items.push(readItem());
    }
  }

  private readName(): string {
    const name = QUOTES[this.text[this.at] ?? ''] ? this.readText(AFTER_NAME) : this.match(NAME);
    if (name === null || this.match(/\s*:\s*/y) === null) throw new SyntaxError('no name');
    this.match(SPACE);
    return name;
  }

  private readText(after: RegExp): string {
    const closing = QUOTES[this.text[this.at]!]!;
    let read = '';
    for (let at = this.at + 1; at < this.text.length; at += 1) {
      const character = this.text[at]!;
      if (character === '\\') {
        at += 1;
        const code = /u([\da-f]{4})/iy;
        code.lastIndex = at;
        const [, digits] = code.exec(this.text) ?? [];
        read += digits
          ? String.fromCharCode(parseInt(digits, 16))
          : (ESCAPES[this.text[at]!] ?? this.text[at]);
        if (digits) at += digits.length;
        continue;
      }
      if (closing.test(character)) {
        after.lastIndex = at + 1;
        if (after.test(this.text)) {
          this.at = at + 1;
          return read;
        }
      }
      read += character;
    }
    throw new SyntaxError('a text without an end');
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }
}
