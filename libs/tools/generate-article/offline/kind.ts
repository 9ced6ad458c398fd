import { escapeMarkdown, oneLine, shorten } from './markdown.js';

/**
 * The kind of article a topic asks for, with the parts of the topic that its outline speaks of. All parts are
 * escaped and read well where the outline puts them: a `task` after "to", `topic` and `question` as a noun.
 */
export type Kind =
  | { form: 'how-to'; task: string }
  | { form: 'comparison'; first: string; others: string; all: string }
  | { form: 'list'; things: string; count: number | null }
  | { form: 'question'; question: string }
  | { form: 'explainer' | 'opinion' | 'story' | 'announcement' | 'general'; topic: string };

/** What stands in for a topic that is too long to be quoted in a sentence. */
const UNQUOTED = 'your topic';

/** The longest part of a topic that is set into a sentence, in letters. */
const LONGEST_PART = 70;

/** Recognises the kind from the words of a topic, one line of plain text. */
export function recogniseKind(topic: string): Kind {
  const text = topic.replace(/[\s?？!！.。]+$/u, '');
  return comparison(text) ?? list(text) ?? howTo(text) ?? other(text, topic);
}

function howTo(text: string): Kind | null {
  const direct =
    /^(?:learn(?:ing)?\s+)?how\s+(?:to|(?:do|can|could|should|would)\s+(?:i|you|we|one|people|somebody|someone|anyone))\s+(?!not\b)(.+)$/iu.exec(
      text,
    );
  const guide =
    /^(?:the\s+|an?\s+|your\s+)?(?:(?:complete|ultimate|definitive|practical|short|quick|simple|beginner['’]?s?['’]?|step[- ]by[- ]step)\s+)*(?:guide|tutorial|introduction\s+course|walkthrough)\s+(?:to|on|for|about)\s+(.+)$/iu.exec(
      text,
    );
  const best =
    /^(?:the\s+)?(?:best|easiest|fastest|cheapest|right|simplest|quickest)\s+way\s+to\s+(.+)$/iu.exec(text);
  const task = direct?.[1] ?? best?.[1] ?? (guide?.[1] && `get started with ${guide[1]}`);
  if (task)
    return { form: 'how-to', task: part(aboutTheReader(task.replace(/\s*[:–—(].*$/u, ''))) ?? 'do this' };
  // What follows is no English, so its words stay out of our sentences.
  const foreign =
    /^(?:wie\s+(?:man|kann|macht|baut|schreibt|lernt)|so\s+gelingt|anleitung|comment|cómo|como|как|كيف)\s|如何|怎么|怎樣|怎样|(?:方法|やり方|作り方)$/iu;
  return foreign.test(text) ? { form: 'how-to', task: 'do this' } : null;
}

function comparison(text: string): Kind | null {
  const between =
    /\b(?:differences?\s+between|compar(?:e|ing)|comparison\s+(?:of|between)|choos(?:e|ing)\s+between)\s+(.+?)\s+(?:and|with|to|or)\s+(.+)$/iu.exec(
      text,
    );
  const better =
    /^(?:is|are)\s+(.+?)\s+(?:really\s+)?(?:better|worse|faster|cheaper|healthier|safer)\s+than\s+(.+)$/iu.exec(
      text,
    );
  const choice = /^(?:which\s+(?:is|one\s+is)\s+better\s*[:,]?\s+)(.+?)\s+or\s+(.+)$/iu.exec(text);
  const pair = between ?? better ?? choice;
  let sides = pair
    ? [pair[1] ?? '', pair[2] ?? '']
    : text.split(/\s+(?:vs\.?|versus|v\.s\.|compared\s+(?:to|with))\s+/iu);
  if (
    sides.length < 2 &&
    /^\p{L}[\p{L}\p{N}+#.-]*(?:\s\p{L}[\p{L}\p{N}+#.-]*)?\s+or\s+\p{L}[\p{L}\p{N}+#.-]*(?:\s\p{L}[\p{L}\p{N}+#.-]*)?$/iu.test(
      text,
    )
  ) {
    sides = text.split(/\s+or\s+/iu);
  }
  if (sides.length < 2) return null;
  sides = sides.map((side, i) => trimSide(side, i === 0, i === sides.length - 1));
  // "Tea or coffee": the capital is the sentence's, not the word's.
  if (sides.slice(1).every((side) => /^\p{Ll}/u.test(side)))
    sides[0] = (sides[0] ?? '').replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
  const names = sides.map((side) => part(side, 40));
  if (names.some((name) => !name)) {
    return { form: 'comparison', first: 'the first', others: 'the second', all: 'the two' };
  }
  const [first = '', ...others] = names as string[];
  const join = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  return { form: 'comparison', first, others: join.format(others), all: join.format([first, ...others]) };
}

/** A side without what leads up to it ("Which phone: A") or what follows from it ("B for beginners"). */
function trimSide(side: string, isFirst: boolean, isLast: boolean): string {
  let name = side.trim();
  if (isFirst)
    name = name
      .replace(/^.*[:,?]\s+(?=\S)/u, '')
      .replace(/^(?:comparing|compare|choosing\s+between|between)\s+/iu, '');
  if (isLast)
    name = name.replace(
      /(?<=\S)(?:\s*[:,?(–—]|\s-\s|\s(?:for|in|when|which|what|who|as|on|at|from)\s).*$/iu,
      '',
    );
  return name.trim();
}

function list(text: string): Kind | null {
  const kinds =
    'ways|tips|reasons|ideas|things|mistakes|steps|lessons|facts|examples|tricks|tools|books|habits|signs|rules|secrets|benefits|places|myths|questions|trends|strategies|recipes|exercises|alternatives';
  const numbered = new RegExp(
    String.raw`^(?:the\s+)?(?:top\s+|best\s+)?(\d{1,3})\s+(?:(?:of\s+)?(?:the\s+)?(?:best|top|most|great|good)\s+)?(?=\p{L})(.+)$`,
    'iu',
  ).exec(text);
  const best = /^(?:the\s+)?(?:top|best)\s+(?!way\s+to\b|of\b|before\b)(\p{L}.+)$/iu.exec(text);
  const plain = new RegExp(
    String.raw`^((?:\p{L}+\s+)?(?:${kinds})\s+(?:to|for|of|why|that|when|about)\s+.+)$`,
    'iu',
  ).exec(text);
  const isList =
    (numbered &&
      (new RegExp(String.raw`\b(?:${kinds})\b`, 'iu').test(text) ||
        /\b(?:best|top|most)\b/iu.test(text) ||
        (/^\d+\s+\p{L}+s\b/iu.test(text) &&
          !/^\d+\s+(?:days|years|hours|weeks|months|minutes)\b/iu.test(text)))) ??
    false;
  const things = isList ? numbered?.[2] : (best?.[1] ?? plain?.[1]);
  if (!things) return null;
  const count = isList ? Number(numbered?.[1]) : null;
  return {
    form: 'list',
    things: part(things) ?? 'what you list',
    count: count && count >= 2 && count <= 100 ? count : null,
  };
}

function other(text: string, topic: string): Kind {
  const quoted = quote(topic.trim());
  const isAbout = (pattern: RegExp) => pattern.test(text);
  if (
    isAbout(
      /\bshould\b|\bpros\s+and\s+cons\b|\bworth\s+it\b|\b(?:the\s+)?case\s+(?:for|against)\b|\bin\s+defen[cs]e\s+of\b|\bmy\s+(?:opinion|view|take)\b|\bargument\s+(?:for|against)\b|\boverrated\b|\bunderrated\b/iu,
    )
  ) {
    return { form: 'opinion', topic: quoted };
  }
  const thing =
    /^what\s+(?:is|are|was|were)\s+(.+)$/iu.exec(text)?.[1] ??
    /^(?:an?\s+)?(?:introduction\s+to|basics\s+of|(?:the\s+)?meaning\s+of|understanding)\s+(.+)$/iu.exec(
      text,
    )?.[1] ??
    /^(.+?),?\s+explained\b/iu.exec(text)?.[1];
  if (thing) return { form: 'explainer', topic: quote(thing.trim()) };
  if (
    isAbout(
      /^(?:was\s+ist|was\s+sind|qu['’]est-ce|qué\s+es|o\s+que\s+é|cos['’]è|что\s+такое|ما\s+ه[ويى])(?:\s|$)|什么是|是什么|什麼是|とは/iu,
    )
  ) {
    return { form: 'explainer', topic: quoted };
  }
  if (
    isAbout(
      /^(?:why|how|when|where|who|which|what|whose|warum|wieso|weshalb|pourquoi|por\s+qué|perché|почему|لماذا)\s|为什么|為什麼|なぜ|どうして/iu,
    ) ||
    (/[?？؟]\s*$/u.test(topic) && /^\S/u.test(text))
  ) {
    return { form: 'question', question: quoted === UNQUOTED ? 'your question' : quoted };
  }
  if (
    isAbout(
      /\b(?:story|history|biography|life|rise|fall|journey|legend|memoir|tale)\s+of\b|^(?:a|the|my|our)\s+(?:day|night|summer|winter|year|story|journey)\b|\bhow\s+\S+\s+became\b/iu,
    )
  ) {
    return { form: 'story', topic: quoted };
  }
  if (
    isAbout(
      /\b(?:announc(?:es?|ed|ing|ement)|launch(?:es|ed|ing)?|releas(?:es|ed)|unveil(?:s|ed|ing)?|introduces|introducing|press\s+release|opens\s+(?:its|a|an|the|in)|acquires|joins|now\s+available)\b/iu,
    )
  ) {
    return { form: 'announcement', topic: quoted };
  }
  return { form: 'general', topic: quoted };
}

/** A part of the topic for the middle of a sentence; null when it is too long to be read there. */
function part(text: string, longest = LONGEST_PART): string | null {
  const line = oneLine(text);
  if (!line || shorten(line, longest) !== line || /[.!?]\s/u.test(line)) return null;
  return escapeMarkdown(line);
}

function quote(text: string): string {
  const short = part(text);
  return short ? `“${short.replaceAll('“', '‘').replaceAll('”', '’')}”` : UNQUOTED;
}

const thirdPerson: Record<string, string> = {
  my: 'their',
  our: 'their',
  your: 'their',
  me: 'them',
  us: 'them',
  mine: 'theirs',
  myself: 'themselves',
  yourself: 'themselves',
  i: 'they',
  we: 'they',
};

/** "fix my car" becomes "fix their car", since the outline speaks of its reader. "US" stays. */
const aboutTheReader = (task: string) =>
  task.replace(
    /(?<![\p{L}\p{N}'’-])(?:my|our|your|me|us|mine|myself|yourself|i|we)(?![\p{L}\p{N}'’-])/giu,
    (word) => (word === 'US' ? word : (thirdPerson[word.toLowerCase()] ?? word)),
  );
