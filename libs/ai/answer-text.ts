/** Tags between which models put their thoughts, as they stand in `content` if a server does not separate them. */
const TAGS = 'think|thinking|thought|thoughts|reasoning|reflection|seed:think';
/**
 * The start of thoughts: a tag, a channel of the harmony format, or its words where the server has removed the special
 * tokens ("analysisWe need to…assistantfinal…").
 */
const OPENING = new RegExp(
  String.raw`^(?:<\|start\|>assistant)?(?:<(?:${TAGS})>|\[THINK\]|<\|channel\|>(?:analysis|commentary)[^<]*<\|message\|>|analysis(?=[A-Z]))`,
);
const CLOSING = new RegExp(
  String.raw`</(?:${TAGS})>|\[/THINK\]|(?:<\|end\|>)?(?:<\|start\|>)?(?:assistant)?<\|channel\|>final[^<]*<\|message\|>|assistantfinal`,
);
const FINAL_CHANNEL = /^(?:<\|start\|>assistant)?<\|channel\|>final[^<]*<\|message\|>/;
/** Thoughts in the middle of an answer: a tag on a line of its own. */
const LATER_OPENING = new RegExp(String.raw`(?<=^|\n)<(?:${TAGS})>\n`);
const OPENING_TAG = new RegExp(`<(?:${TAGS})>`);
/** A closing tag without an opening one: the server has put the opening tag into the prompt. */
const LONE_CLOSING = new RegExp(String.raw`(?<!\`)</(?:${TAGS})>`);

/** Special tokens that some servers leave at the end of an answer. */
const END_TOKENS =
  /(?:\s*(?:<\|(?:im_end|im_start|eot_id|eom_id|end_of_text|endoftext|end|return|END_OF_TURN_TOKEN|user|assistant)\|>|<\/s>|<end_of_turn>|<eos>|\[\/INST\]))+\s*$/;
/** The end of a text that may be the start of such a token, or of a tag. */
const MAYBE_TOKEN = /(?:\s*[<[](?:[|/]?[A-Za-z_:/]{0,20}\|?>?\]?)?)+\s*$/;

/** How thoughts without a tag begin. Such an answer is held until its closing tag. */
const LIKE_THOUGHTS =
  /^(?:okay|ok|alright|hmm|wait|so,? the user|the user (?:wants|asks|is asking)|we need to|i need to|let me (?:think|start)|first, i)\b/i;
/** Characters that tell whether an answer begins with thoughts. */
const START_CHARACTERS = 60;
/** White space before an answer that is kept. */
const MAX_BLANK = 200;
/** Characters at the end of an answer that may be special tokens. */
const END_CHARACTERS = 200;
/** Characters kept of thoughts, in which a closing tag that arrives in pieces is found. */
const TAIL_CHARACTERS = 80;

/**
 * Cleans the text of an answer while it streams: leaves out thoughts, special tokens at the end, U+0000, which PostgreSQL
 * cannot store, and lone surrogates. Text that mentions such tags, for example in code, stays.
 */
export class AnswerText {
  private state: 'start' | 'thoughts' | 'held' | 'text' = 'start';
  /** Text that is not returned yet. */
  private waiting = '';
  private returned = '';
  private lastCharacter = '';

  /** @param beginsWithThoughts true if the model is known to think without an opening tag */
  constructor(private readonly beginsWithThoughts = false) {}

  /** True while the model thinks. */
  get isThinking(): boolean {
    return this.state === 'thoughts' || this.state === 'held';
  }

  /** True if returned text turned out to be thoughts. */
  get returnedThoughts(): boolean {
    return this.hasReturnedThoughts;
  }
  private hasReturnedThoughts = false;

  /** @returns the text that can be shown now */
  add(piece: string): string {
    this.waiting += piece.replaceAll('\u0000', '');
    return this.release(false);
  }

  /** @returns the rest of the text, after the last piece */
  end(): string {
    return this.release(true);
  }

  private release(isEnd: boolean): string {
    let released = '';
    for (;;) {
      const before = this.state;
      released += this.step(isEnd);
      if (this.state === before) break;
    }
    const text = released.toWellFormed();
    this.returned += text;
    this.lastCharacter = text.at(-1) ?? this.lastCharacter;
    return text;
  }

  private step(isEnd: boolean): string {
    switch (this.state) {
      case 'start':
        return this.start(isEnd);
      case 'thoughts':
        return this.skipThoughts();
      case 'held':
        return this.hold(isEnd);
      case 'text':
        return this.text(isEnd);
    }
  }

  private start(isEnd: boolean): string {
    const text = this.waiting.trimStart();
    if (text === '') this.waiting = this.waiting.slice(-MAX_BLANK);
    const channel = FINAL_CHANNEL.exec(text);
    if (channel) {
      this.waiting = text.slice(channel[0].length);
      this.state = 'text';
      return '';
    }
    const opening = OPENING.exec(text);
    if (opening) {
      this.waiting = text.slice(opening[0].length);
      this.state = 'thoughts';
      return '';
    }
    const isFirst = this.returned === '';
    const mayOpen = /^(?:[<[]|a(?:n(?:a(?:l(?:y(?:s(?:is?)?)?)?)?)?)?$)/.test(text);
    const isShort = text.length < (mayOpen ? START_CHARACTERS : isFirst ? 12 : 1);
    if (isShort && !isEnd) return '';
    if (isFirst && !this.hasSkipped && (this.beginsWithThoughts || LIKE_THOUGHTS.test(text)))
      this.state = 'held';
    else this.state = 'text';
    // White space before the answer stays only if nothing was left out before it.
    if (this.hasSkipped) this.waiting = text;
    return '';
  }
  private hasSkipped = false;

  private skipThoughts(): string {
    const closing = CLOSING.exec(this.waiting);
    this.hasSkipped = true;
    if (!closing) {
      this.waiting = this.waiting.slice(-TAIL_CHARACTERS);
      return '';
    }
    this.waiting = this.waiting.slice(closing.index + closing[0].length);
    this.state = 'start';
    return '';
  }

  private readonly held: string[] = [];
  private heldTail = '';

  /** Holds a text that may be thoughts until a closing tag tells that it was, or the end that it was not. */
  private hold(isEnd: boolean): string {
    // Only the new part is searched, since a whole answer may be held.
    const isClosed = CLOSING.test(this.heldTail + this.waiting);
    this.held.push(this.waiting);
    this.heldTail = (this.heldTail + this.waiting).slice(-TAIL_CHARACTERS);
    this.waiting = '';
    if (!isClosed && !isEnd) return '';
    this.waiting = this.held.splice(0).join('');
    this.state = isClosed ? 'thoughts' : 'text';
    return '';
  }

  /** True once the text has such tags as words. */
  private mentionsTags = false;

  private text(isEnd: boolean): string {
    const later = LATER_OPENING.exec(this.waiting);
    const before = later && this.waiting.slice(0, later.index);
    if (later && before !== null && opensThoughts(this.returned + before)) {
      this.waiting = this.waiting.slice(later.index + later[0].length);
      this.state = 'thoughts';
      return before;
    }
    const last = this.lastCharacter;
    const lone = this.mentionsTags ? null : LONE_CLOSING.exec(last + this.waiting);
    if (lone) {
      const before = this.returned + (last + this.waiting).slice(last.length, lone.index);
      if (OPENING_TAG.test(before) || isInCode(before)) this.mentionsTags = true;
      else this.hasReturnedThoughts = true;
    }
    const tail = this.waiting.slice(-TAIL_CHARACTERS);
    const kept = isEnd ? '' : (MAYBE_TOKEN.exec(tail)?.[0] ?? loneSurrogateOf(tail));
    const text = this.waiting.slice(0, this.waiting.length - kept.length);
    this.waiting = kept;
    if (!isEnd) return text;
    const end = text.slice(-END_CHARACTERS);
    return text.slice(0, text.length - end.length) + end.replace(END_TOKENS, '');
  }
}

/** The first half of a surrogate pair at the end of a text, whose second half comes with the next piece. */
const loneSurrogateOf = (text: string): string => /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';

/** True if a tag after this text opens thoughts: it stands at the start of a line and not in code. */
const opensThoughts = (before: string): boolean => /(?:^|\n)$/.test(before) && !isInCode(before);

/** True if a position after this text is in a fenced code block. */
const isInCode = (before: string): boolean => (before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
