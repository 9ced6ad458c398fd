import { ANSWER_MAX_CHARACTERS } from '#libs/contract/markdown.js';

/**
 * A pattern of words in small or capital letters. The modifier `(?i:…)` did not match capitals in one run of all tests on
 * Node.js 24.21, in a process that had run long; why is not known.
 */
const anyCase = (words: string) =>
  words.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** Tags of reasoning that no other text has. */
const OWN_TAGS = String.raw`(?:\w{1,12}[:_])?${anyCase('(?:think|thinking|thought|thoughts|reasoning)(?:_process)?')}|${anyCase('chain_of_thought|antthinking')}`;
/** Tags around a model's reasoning, which stand in `content` if a server does not separate it. */
const TAGS = `(?:${OWN_TAGS}|${anyCase('reflection|analysis|scratchpad')})`;
/** The name of the channel of the answer, also with the format that it has. */
const FINAL = String.raw`final(?:[^<]|<\|constrain\|>)*<\|message\|>`;
/**
 * The start of reasoning: a tag, a channel of the harmony format, or its name where the server has removed the special
 * tokens ("analysisWe need to…assistantfinal…").
 */
const OPENING = new RegExp(
  String.raw`^(?:<\|start\|>assistant)?(?:<${TAGS}>|<(?:${OWN_TAGS})\s[^<>]{0,40}(?<!/)>|\[THINK\]|◁think▷|<\|begin_of_thought\|>|<\|START_THINKING\|>|<\|inner_prefix\|>|<\|think\|>|<unused94>|<\|channel>thought|<\|channel\|>(?:analysis|commentary)|analysis(?=[A-Z])|<details type="reasoning"[^<>]{0,30}>|\*Thinking\.\.\.\*(?=\n)|Here(?: is|['’]s) my thought process:)`,
);
const CLOSING_TOKEN = String.raw`\[/THINK\]|◁/think▷|<\|end_of_thought\|>|<\|END_THINKING\|>|<\|inner_suffix\|>|<unused95>|<channel\|>|(?:<\|end\|>)?(?:<\|start\|>)?(?:assistant)?<\|channel\|>${FINAL}|assistantfinal`;
const CLOSING = new RegExp(String.raw`</\s?(?:${OWN_TAGS})\s?>|${CLOSING_TOKEN}`);
/** The ends of reasoning that other reasoning may have in it, as that of Open WebUI, Granite 3.2 and Solar, or that have no words, as that of Poe. */
const OWN_CLOSINGS: [opening: RegExp, closing: RegExp][] = [
  [/<(?:reflection|analysis|scratchpad)/i, new RegExp(String.raw`</\s?${TAGS}\s?>`)],
  [/<details/, /<\/details>/],
  [/^<\|think/, /<\|content\|>/],
  [/^\*/, /\n\s*\n(?=[^>\s])/],
  [/Here/, /Here(?: is|['’]s) my response:/],
];
const closingOf = (opening: string): RegExp =>
  OWN_CLOSINGS.find(([start]) => start.test(opening))?.[1] ?? CLOSING;
/** The end of reasoning that had no opening tag. */
const LONE_CLOSING = new RegExp(`</(?:${OWN_TAGS})>|${CLOSING_TOKEN}`, 'g');
const FINAL_CHANNEL = new RegExp(
  String.raw`^(?:(?:<\|start\|>assistant)?<\|channel\|>${FINAL}|(?:<\|begin\|>assistant)?<\|content\|>|<\|begin_of_solution\|>|<\|START_RESPONSE\|>|<\|begin_of_box\|>)`,
);
/**
 * Reasoning in the middle of an answer that began with reasoning: a tag at the start of a line, or on a line of its own if
 * other texts may have it.
 */
const LATER_OPENING = new RegExp(String.raw`(?<=^|\n)(?:<(?:${OWN_TAGS})>|<${TAGS}>\n)`);
/** The same in other answers: the commonest tag on a line of its own, within the text. */
const LATE_OPENING = new RegExp(String.raw`(?<=^|\n)<${anyCase('think')}>\n`);
const AGREEING_LINE = String.raw`^${anyCase(`(?:sure|certainly|of course|absolutely|okay|ok|alright|great|got it|here(?: is|['’]s)|let me (?:think|start))`)}\b[^\n]{0,80}`;
/** A line that a model may say before its reasoning: "Sure!". */
const AGREEMENT = new RegExp(String.raw`${AGREEING_LINE}\n\s{0,20}`);
const INCOMPLETE_AGREEMENT = new RegExp(String.raw`${AGREEING_LINE}\s{0,20}$`);
/** An opening tag, also with attributes. */
const OPENING_TAG = new RegExp(String.raw`<(?:${OWN_TAGS})(?:\s[^<>]*)?>`);
/** A closing tag outside of inline code. */
const CLOSING_TAG = new RegExp(String.raw`(?<!\`)</(?:${OWN_TAGS})>`, 'g');

/** Special tokens that some servers leave at the end of an answer. */
const END_TOKENS =
  /(?:\s*(?:<\|[a-z_]{2,30}\|>|<｜[a-z▁]{2,30}｜>|<\/s>|<end_of_turn>|<turn\|>|\[\|endofturn\|\]|\[e~\[|<(?:seed:)?eos>|<eot>|\[\/INST\]))+\s*$/i;
/** The start of the answer's own message, where the server has not removed it. */
const MESSAGE_START =
  /^(?:<s>(?=\s)|<think ?\/>|<bos>|<\|begin_of_text\|>|<｜begin▁of▁sentence｜>|<\|im_start\|>(?:assistant)?(?:<\|im_sep\|>)?|<\|start_header_id\|>assistant<\|end_header_id\|>|<\|start_of_role\|>assistant<\|end_of_role\|>|<start_of_turn>model|<\|turn>model|<\|assistant\|>)+\s*/;
/** A token at the end of a message, and the token or name at the start of the next one. */
const MESSAGE_END = String.raw`(?:<\|(?:im_end|eot|eot_id|eom_id|end|endoftext|end_of_text|end_of_turn|return|user|observation)\|>|<end_of_turn>|<turn\|>|<｜end▁of▁sentence｜>)`;
const NEXT_START = String.raw`<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\|turn>|<\|(?:user|assistant|system)\|>|<｜(?:User|Assistant)｜>|<\|start\|>(?=[usdt])`;
/** A further message, which a model invents after its answer: it has a start, a line of its own, or begins at once. */
const NEXT_MESSAGE = new RegExp(
  String.raw`(?<start>(?:${MESSAGE_END}\s*)+(?:${NEXT_START})|<\/s>\s*(?:<s>\s*)?\[INST\])|(?:${MESSAGE_END})+(?:\s*\n\s*[^\s<]|(?<word>[\p{L}\p{N}#]))`,
  'u',
);
/** A token of messages. A text that has it is about such tokens. */
const MESSAGE_TOKEN = new RegExp(String.raw`${MESSAGE_END}|${NEXT_START}|\[INST\]`);
/** The tag in which some models put the answer after their reasoning. */
const ANSWER_TAG = /^<(answer|response|output|final)>/i;
const ANSWER_END = /\s*<\/(?:answer|response|output|final)>\s*$/i;
/** The end of a text that may be the start of a tag or a special token. */
const INCOMPLETE_TOKEN = /(?:\s*(?:\[e~\[?|[<[](?:[|｜/]?[A-Za-z_▁:/]{0,30}[|｜]?>?\]?)?))+\s*$/;

/** How reasoning without an opening tag begins. Such an answer is held until its closing tag or its end. */
const LIKE_REASONING =
  /^(?:okay|ok|alright|hmm|wait|so,? the user|the user (?:wants|asks|is asking)|we need to|i need to|let me (?:think|start)|first, i)\b/i;

/** Characters in which an opening tag or channel is found, and in which the words of LIKE_REASONING are. */
const [OPENING_CHARACTERS, FIRST_WORDS_CHARACTERS] = [60, 12];
/** White space before an answer that is kept. */
const MAX_BLANK = 200;
/** Characters at the end of an answer that may be special tokens. */
const END_CHARACTERS = 200;
/** Characters in which a tag is found that arrives in pieces. */
const TAIL_CHARACTERS = 80;

/**
 * Filters the text of an answer while it streams. Leaves out reasoning, special tokens at the end, and U+0000, which
 * PostgreSQL cannot store; replaces lone surrogates. Text that mentions such tags, for example in code, stays.
 */
export class AnswerFilter {
  /** True if returned text turned out to be reasoning: its closing tag had no opening one. */
  hasReturnedReasoning = false;
  /** True once reasoning was left out. */
  hasSkipped = false;
  private state: 'start' | 'reasoning' | 'held' | 'text' | 'ended' = 'start';
  /** Text that is not returned yet. */
  private pending = '';
  private returned = '';
  private lastCharacters = '';
  /** True if the answer after the reasoning stands in a tag. */
  private isInTag = false;
  /** True once the text has tags of reasoning as words. */
  private mentionsTags = false;
  private closing = CLOSING;
  private held: string[] = [];
  private heldEnd = '';
  private heldCharacters = 0;

  /**
   * @param sendsUntaggedReasoning true if the model is known to begin with reasoning that has no opening tag
   * @param isAboutTags true if the request has such a tag, so that the answer may have it
   */
  constructor(
    private readonly sendsUntaggedReasoning = false,
    private readonly isAboutTags = false,
  ) {}

  get isReasoning(): boolean {
    return this.state === 'reasoning' || this.state === 'held';
  }

  /** @returns the text that can be shown now */
  add(piece: string): string {
    this.pending += piece.replaceAll('\u0000', '');
    return this.release(false);
  }

  /** @returns the rest of the text, after the last piece */
  end(): string {
    return this.release(true);
  }

  private release(isEnd: boolean): string {
    let released = '';
    for (let before; before !== this.state;) {
      before = this.state;
      released += this.step(isEnd);
    }
    const text = released.toWellFormed();
    this.returned += text;
    this.lastCharacters = (this.lastCharacters + text).slice(-2);
    return text;
  }

  private step(isEnd: boolean): string {
    switch (this.state) {
      case 'start':
        return this.readStart(isEnd);
      case 'reasoning':
        return this.skipReasoning();
      case 'held':
        return this.hold(isEnd);
      case 'text':
        return this.readText(isEnd);
      case 'ended':
        this.pending = '';
        return '';
    }
  }

  private readStart(isEnd: boolean): '' {
    const text = this.pending.trimStart().replace(MESSAGE_START, '');
    if (text === '') this.pending = this.pending.slice(-MAX_BLANK);
    const afterAgreement = text.replace(AGREEMENT, '');
    const channel = FINAL_CHANNEL.exec(text);
    const opening = channel ?? OPENING.exec(text) ?? OPENING.exec(afterAgreement);
    if (opening) {
      const [token] = opening;
      this.pending = opening.input.slice(token.length);
      this.closing = closingOf(token);
      this.state = channel ? 'text' : 'reasoning';
      return '';
    }
    const tag = this.hasSkipped ? ANSWER_TAG.exec(text) : null;
    if (tag) {
      this.pending = text.slice(tag[0].length);
      this.isInTag = true;
      return '';
    }
    // Reasoning in reasoning has a closing tag more after it.
    const mayBeUntagged = this.returned === '' && (!this.hasSkipped || this.sendsUntaggedReasoning);
    const mayOpen = /^(?:[<[◁]|\*T|a(?:n(?:a(?:l(?:y(?:s(?:is?)?)?)?)?)?)?$)/.test(afterAgreement);
    const needed = mayOpen ? OPENING_CHARACTERS : mayBeUntagged ? FIRST_WORDS_CHARACTERS : 1;
    const isIncomplete = afterAgreement.length < needed || INCOMPLETE_AGREEMENT.test(text);
    if (isIncomplete && !isEnd) return '';
    const isUntagged = mayBeUntagged && (this.sendsUntaggedReasoning || LIKE_REASONING.test(text));
    this.state = isUntagged ? 'held' : 'text';
    // White space before the answer stays only if nothing was left out before it.
    if (this.hasSkipped || MESSAGE_START.test(this.pending.trimStart())) this.pending = text;
    return '';
  }

  private skipReasoning(): '' {
    const closing = this.closing.exec(this.pending);
    if (closing) return this.skipTo(closing);
    this.hasSkipped = true;
    this.pending = this.pending.slice(-TAIL_CHARACTERS);
    return '';
  }

  private skipTo({ input, index, 0: { length } }: RegExpExecArray): '' {
    this.hasSkipped = true;
    this.pending = input.slice(index + length);
    this.state = 'start';
    return '';
  }

  /** Holds a text until a closing tag tells that it was reasoning, or its end or its length that it was not. */
  private hold(isEnd: boolean): '' {
    // Only the end of what is held is searched, since a whole answer may be held.
    const end = this.heldEnd + this.pending;
    this.held.push(this.pending);
    this.heldEnd = end.slice(-TAIL_CHARACTERS);
    this.heldCharacters += this.pending.length;
    this.pending = '';
    const isClosed = findClosing(end, LONE_CLOSING, isEnd) !== null;
    if (!isClosed && !isEnd && this.heldCharacters <= ANSWER_MAX_CHARACTERS) return '';
    this.pending = this.held.join('');
    this.held = [];
    const closing = findClosing(this.pending, LONE_CLOSING, isEnd);
    this.mentionsTags = closing !== null && mentionsTag(this.pending.slice(0, closing.index));
    if (closing && !this.mentionsTags) return this.skipTo(closing);
    this.state = 'text';
    return '';
  }

  private readText(isEnd: boolean): string {
    const next = NEXT_MESSAGE.exec(this.pending);
    if (next && isNextMessage(this.returned + this.pending.slice(0, next.index), next.groups)) {
      this.state = 'ended';
      return this.pending.slice(0, next.index).trimEnd();
    }
    const opening = (this.hasSkipped ? LATER_OPENING : LATE_OPENING).exec(this.pending);
    const beforeOpening = this.pending.slice(0, opening?.index ?? 0);
    if (
      opening &&
      (this.hasSkipped || !this.isAboutTags) &&
      mayOpen(this.returned + beforeOpening, this.hasSkipped)
    ) {
      this.pending = this.pending.slice(opening.index + opening[0].length);
      this.closing = closingOf(opening[0]);
      this.state = 'reasoning';
      return beforeOpening;
    }
    this.findReturnedReasoning(isEnd);
    const tail = this.pending.slice(-TAIL_CHARACTERS);
    const kept = isEnd ? '' : (INCOMPLETE_TOKEN.exec(tail)?.[0] ?? firstSurrogateOf(tail));
    const text = this.pending.slice(0, this.pending.length - kept.length);
    this.pending = kept;
    if (!isEnd) return text;
    const end = text.slice(-END_CHARACTERS);
    const rest = end.replace(END_TOKENS, '');
    return text.slice(0, text.length - end.length) + (this.isInTag ? rest.replace(ANSWER_END, '') : rest);
  }

  /** A closing tag without an opening one ends reasoning: the server has put the opening tag into the prompt. */
  private findReturnedReasoning(isEnd: boolean): void {
    if (this.mentionsTags) return;
    const last = this.lastCharacters;
    const closing = findClosing(last + this.pending, CLOSING_TAG, isEnd);
    if (!closing) return;
    const before = this.returned + (last + this.pending).slice(last.length, closing.index);
    if (mentionsTag(before)) this.mentionsTags = true;
    else this.hasReturnedReasoning = true;
  }
}

/** Finds a closing tag that is not a word of a sentence, as in "ends with </think> before it". */
function findClosing(text: string, pattern: RegExp, isEnd: boolean): RegExpExecArray | null {
  for (const found of text.matchAll(pattern)) {
    const after = text.slice(found.index + found[0].length);
    const isAfterWord = /\S[^\S\n]$/.test(text.slice(Math.max(found.index - 2, 0), found.index));
    // The next piece may go on with the sentence.
    if (isAfterWord && !isEnd && /^[^\S\n]*$/.test(after)) return null;
    if (!isAfterWord || !/^[^\S\n]\S/.test(after)) return found;
  }
  return null;
}

/** True if a closing tag after this text is not the end of reasoning. */
const mentionsTag = (before: string): boolean =>
  OPENING_TAG.test(before) || before.endsWith('`') || isInCodeBlock(before);

/** True if a match of NEXT_MESSAGE after this text is an invented message, not a text about such tokens. */
function isNextMessage(before: string, { start, word }: Record<string, string | undefined> = {}): boolean {
  if (MESSAGE_TOKEN.test(before) || before.endsWith('`') || isInCodeBlock(before)) return false;
  if (start !== undefined) return true;
  // A token that is named stands after a space, in a line of its own, after a colon, or within a word.
  const text = before.trimEnd();
  const isAfterSpace = /\s$/.test(before);
  return !isAfterSpace && !/[:：]$/.test(text) && (word === undefined || /[.!?…。！？)\]"”»*]$/.test(text));
}

/** The first half of a surrogate pair at the end of a text, whose second half comes with the next piece. */
const firstSurrogateOf = (text: string): string => /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';

/** True if a tag after this text opens reasoning: at the start of a line, not in code, and not as an example. */
const mayOpen = (before: string, hasSkipped: boolean): boolean =>
  /(?:^|\n)$/.test(before) &&
  (hasSkipped || !(OPENING_TAG.test(before) || /[:：]$/.test(before.trimEnd()))) &&
  !isInCodeBlock(before);

/** True if the text ends in a fenced code block. */
const isInCodeBlock = (text: string): boolean => (text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
