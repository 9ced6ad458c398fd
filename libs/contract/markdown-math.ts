import type { CompileContext, Extension as MdastExtension } from 'mdast-util-from-markdown';
import type { Data, Literal } from 'mdast';
import { markdownLineEnding, markdownLineEndingOrSpace, unicodeWhitespace } from 'micromark-util-character';
import type { Code, Construct, Extension, State, Tokenizer } from 'micromark-util-types';

/** A formula in a line of text: `$…$` or `\(…\)`, and `$$…$$` or `\[…\]` beside other words. The value is TeX. */
export interface InlineMath extends Literal {
  type: 'inlineMath';
  display: boolean;
  data?: Data;
}

/** A formula that is a block of its own: `$$…$$` or `\[…\]`, on one or more lines. The value is TeX. */
export interface Math extends Literal {
  type: 'math';
  data?: Data;
}

declare module 'mdast' {
  interface PhrasingContentMap {
    inlineMath: InlineMath;
  }
  interface RootContentMap {
    inlineMath: InlineMath;
    math: Math;
  }
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathFlow: 'mathFlow';
    mathText: 'mathText';
    mathData: 'mathData';
    mathSequence: 'mathSequence';
  }
}

const DOLLAR = 36;
const BACKSLASH = 92;
/** The codes of `(` and `[`, and of what closes them. */
const CLOSING = new Map<Code, Code>([
  [40, 41],
  [91, 93],
]);

/** An amount with words after it, as in `$5, or CA$ 6`. */
const PRICE = /^\d[\d.,]*[%a-z]?[,;]?\s+[a-z]{2,}/i;
/** What only formulas have: commands, scripts, equations, and operators between spaces. */
const TEX = /\\[a-z\\{|]|[=^{}]|(?<!\\)_|^(?!.*[a-z]{2})(?=.*[a-z]).*\s[-+*/<>]\s/is;
/** What no price begins with, so that it is a formula within a word too: `H$_2$O` and `30$^\circ$C`. */
const SCRIPT = /^\$[_^\\]/;
/** Brackets whose pair is another sign or none. */
const TEX_BRACKET = /\\(?:left|right|[bB]igg?[lrm]?)\s*[()[\]]/g;
/** Variables and terms, such as `x` and `f(2n)`. */
const TERM = /^(?=.*[a-z])(?!.*[a-z]{3})/is;

/**
 * False if the dollars of a source are a price's, or its brackets escaped ones: many programs write Markdown with
 * `\[Your Name\]`, `\[x\]` and `\(555\)` for brackets that are no link.
 */
function isFormula(source: string, isAfterWord: boolean): boolean {
  if (source.startsWith('$$')) return true;
  if (source.startsWith('$')) return !PRICE.test(source.slice(1)) && !closesBracket(source);
  const content = source.slice(2, -2);
  // An escaped footnote mark.
  if (/^\^\S*$/.test(content)) return false;
  return (
    /^[ \t]*\r?\n/.test(content) ||
    TEX.test(content) ||
    (!isAfterWord && source.startsWith('\\(') && TERM.test(content))
  );
}

/** True if the source ends brackets that begin before it, as between the dollars of `($a) and ($b)`. */
function closesBracket(source: string): boolean {
  let open = 0;
  for (const character of source.replace(TEX_BRACKET, '')) {
    if (character === '(' || character === '[') open += 1;
    if (character === ')' && open === 0) return true;
    if (character === ')' || character === ']') open = Math.max(0, open - 1);
  }
  return false;
}

/**
 * The syntax of formulas, a micromark extension. As in Pandoc, a formula has no blank line, `$` opens only before a character
 * that is no space, and closes only after one and before no digit. `$` within a word opens none either, so `$5 and $10` and
 * `US$ 5` stay text, unless a script or a command follows: `H$_2$O`. micromark-extension-math takes `$5 and $` for a formula and does not know `\(…\)`.
 */
export const mathSyntax = (): Extension => ({
  flow: { [DOLLAR]: flow(openDollars), [BACKSLASH]: flow(openBracket) },
  text: { [DOLLAR]: { ...text(openDollars), previous: opensFormula }, [BACKSLASH]: text(openBracket) },
});

const isWordCharacter = (code: Code) => code !== null && code > 0 && /\w/.test(String.fromCharCode(code));

const isSpace = (code: Code) => markdownLineEndingOrSpace(code) || unicodeWhitespace(code);

/** The codes of `_`, `^` and `\`. */
const SCRIPT_CODES: readonly Code[] = [95, 94, BACKSLASH];

const isLowerCase = (code: Code) => code !== null && code >= 97 && code <= 122;

/** False after another `$`, but true after an escaped one. */
const opensFormula: NonNullable<Construct['previous']> = function (code) {
  return code !== DOLLAR || this.events.at(-1)?.[1].type === 'characterEscape';
};

interface Opening {
  /** The codes that close the formula. */
  closing: readonly Code[];
  display: boolean;
}

type Opener = (effects: Parameters<Tokenizer>[0], opened: (opening: Opening) => State, nok: State) => State;

const openDollars: Opener = (effects, opened, nok) => {
  const second: State = (code) => {
    if (code !== DOLLAR) return opened({ closing: [DOLLAR], display: false })(code);
    effects.consume(code);
    return third;
  };
  const third: State = (code) =>
    code === DOLLAR ? nok(code) : opened({ closing: [DOLLAR, DOLLAR], display: true })(code);
  return (code) => {
    effects.consume(code);
    return second;
  };
};

const openBracket: Opener = (effects, opened, nok) => {
  const bracket: State = (code) => {
    const closing = CLOSING.get(code);
    if (closing === undefined) return nok(code);
    effects.consume(code);
    return opened({ closing: [BACKSLASH, closing], display: code === 91 });
  };
  return (code) => {
    effects.consume(code);
    return bracket;
  };
};

const flow = (open: Opener): Construct => ({
  name: 'mathFlow',
  concrete: true,
  tokenize: formula(open, 'mathFlow'),
});
const text = (open: Opener): Construct => ({ name: 'mathText', tokenize: formula(open, 'mathText') });

function formula(open: Opener, type: 'mathFlow' | 'mathText'): Tokenizer {
  return function (effects, ok, nok) {
    let closing: readonly Code[] = [];
    let display = false;
    let hasContent = false;
    let isBlankLine = false;
    let isAfterWord = false;
    const fail: State = (code) => nok(code);

    const opened = (opening: Opening): State => {
      ({ closing, display } = opening);
      effects.exit('mathSequence');
      return (code) => {
        if (type === 'mathFlow' && !display) return fail(code);
        if (closing[0] === DOLLAR && isAfterWord && (display || !SCRIPT_CODES.includes(code)))
          return fail(code);
        return closing.length === 1 && (code === null || isSpace(code)) ? fail(code) : content(code);
      };
    };

    const content: State = (code) => {
      if (code === null) return fail(code);
      if (markdownLineEnding(code)) {
        if (isBlankLine) return fail(code);
        isBlankLine = true;
        effects.enter('lineEnding');
        effects.consume(code);
        effects.exit('lineEnding');
        return afterLineEnding;
      }
      if (code === closing[0])
        return effects.attempt({ partial: true, tokenize: close }, afterClosing, other)(code);
      effects.enter('mathData');
      return inData(code);
    };
    const afterLineEnding: State = (code) => (this.parser.lazy[this.now().line] ? fail(code) : content(code));

    const inData: State = (code) => {
      if (code === null || markdownLineEnding(code) || code === closing[0]) {
        effects.exit('mathData');
        return content(code);
      }
      if (!markdownLineEndingOrSpace(code)) {
        hasContent = true;
        isBlankLine = false;
      }
      effects.consume(code);
      return code === BACKSLASH ? escaped : inData;
    };

    /** A character of `closing` that closes nothing. */
    const other: State = (code) => {
      if (code === DOLLAR) return fail(code);
      hasContent = true;
      isBlankLine = false;
      effects.enter('mathData');
      effects.consume(code);
      return escaped;
    };

    /** Another opening bracket ends the attempt, so that a text of only opening brackets takes linear time. */
    const escaped: State = (code) => {
      if (code !== null && CLOSING.get(code) === closing[1] && closing[0] === BACKSLASH) return fail(code);
      if (code === null || markdownLineEnding(code)) return inData(code);
      effects.consume(code);
      return inData;
    };

    const close: Tokenizer = (effects, ok, nok) => {
      let index = 0;
      const next: State = (code) => {
        if (code !== closing[index]) return nok(code);
        effects.consume(code);
        index += 1;
        if (index < closing.length) return next;
        effects.exit('mathSequence');
        return ok;
      };
      return (code) => {
        const { previous } = this;
        if (!hasContent || (closing.length === 1 && isSpace(previous))) return nok(code);
        effects.enter('mathSequence');
        return next(code);
      };
    };

    const afterClosing: State = (code) => {
      if (type === 'mathFlow') return trailing(code);
      if (closing[0] === DOLLAR && code === DOLLAR) return fail(code);
      const token = effects.exit('mathText');
      const source = this.sliceSerialize(token);
      const isInWord = isWordCharacter(code) && !isLowerCase(code) && !SCRIPT.test(source);
      if (closing[0] === DOLLAR && !display && isInWord) return fail(code);
      if (!isFormula(source, isAfterWord)) return fail(code);
      return ok(code);
    };
    const trailing: State = (code) => {
      if (code === null || markdownLineEnding(code)) {
        const token = effects.exit('mathFlow');
        return isFormula(this.sliceSerialize(token), isAfterWord) ? ok(code) : fail(code);
      }
      if (!markdownLineEndingOrSpace(code)) return fail(code);
      effects.enter('whitespace');
      return spaces(code);
    };
    const spaces: State = (code) => {
      if (code !== null && markdownLineEndingOrSpace(code) && !markdownLineEnding(code)) {
        effects.consume(code);
        return spaces;
      }
      effects.exit('whitespace');
      return trailing(code);
    };

    const opener = open(effects, opened, fail);
    return (code) => {
      if (type === 'mathText' && code === DOLLAR && !opensFormula.call(this, this.previous)) return nok(code);
      isAfterWord = type === 'mathText' && isWordCharacter(this.previous);
      effects.enter(type);
      effects.enter('mathSequence');
      return opener(code);
    };
  };
}

/** The number of formulas that a page typesets in about a second. */
const MAX_FORMULAS = 1_000;

export const hasTooManyFormulas = (markdown: string): boolean =>
  (markdown.match(/\$\$?|\\[([]/g)?.length ?? 0) > 2 * MAX_FORMULAS;

/** Reads the formulas of {@link mathSyntax} into the syntax tree, an extension of mdast-util-from-markdown. */
export const mathFromMarkdown = (): MdastExtension => ({
  enter: {
    mathFlow(token) {
      this.enter({ type: 'math', value: '' }, token);
      this.buffer();
    },
    mathText(token) {
      this.enter({ type: 'inlineMath', value: '', display: false }, token);
      this.buffer();
    },
  },
  exit: {
    mathFlow(token) {
      exitFormula(this, (node, value) => {
        if (node.type === 'math')
          Object.assign(node, { value: value.trim(), data: codeData(value.trim(), true) });
      });
      this.exit(token);
    },
    mathText(token) {
      const display = /^(?:\$\$|\\\[)/.test(this.sliceSerialize(token));
      exitFormula(this, (node, value) => {
        if (node.type === 'inlineMath')
          Object.assign(node, { value: value.trim(), display, data: codeData(value.trim(), display) });
      });
      this.exit(token);
    },
    mathData(token) {
      this.config.enter['data']?.call(this, token);
      this.config.exit['data']?.call(this, token);
    },
  },
});

/** Makes mdast-util-to-hast write the formula as code with the classes that rendered Markdown has for maths. */
function codeData(value: string, isDisplay: boolean): Data {
  const className = ['language-math', isDisplay ? 'math-display' : 'math-inline'];
  return { hName: 'code', hProperties: { className }, hChildren: [{ type: 'text', value }] };
}

function exitFormula(
  context: CompileContext,
  set: (node: InlineMath | Math | { type: string }, value: string) => void,
) {
  const value = context.resume();
  const node = context.stack.at(-1);
  if (node !== undefined) set(node, value);
}
