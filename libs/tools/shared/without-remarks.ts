const AGREEING_WORD =
  '(?:sure|certainly|of course|absolutely|great|okay|ok|gladly|with pleasure|got it|happy to help|here you go)';
const KIND_OF_TEXT =
  '(?:article|post|piece|text|draft|version|passage|paragraph|sentences?|letter|rewrite|rewriting|rewording|translation|continuation)';
const END_OF_LINE = String.raw`(?:[:.!]|\.\.\.|…)\**\s*$`;

/** A line of the model before its answer: "Certainly!". */
const AGREEMENT = new RegExp(String.raw`^${AGREEING_WORD}\b[^\n]{0,200}${END_OF_LINE}`, 'i');
/** "Sure! Here's the article you asked for:". */
const HERE_IS = new RegExp(
  String.raw`^(?:${AGREEING_WORD}\b[^\n]{0,60}?\b)?here(?:’|')?s?(?: is| are)? (?:an?|the|your|my)\b[^\n]{0,200}?\b${KIND_OF_TEXT}\b[^\n]{0,120}${END_OF_LINE}`,
  'i',
);
/** The same, which is a preface only before a title: "I've written an article for you.", "Below is the article." */
const IS_WRITTEN = new RegExp(
  String.raw`^(?:i(?:[’']ve| have)? (?:written|wrote|created|prepared|drafted|put together) (?:an?|the|your|this)|below (?:is|you(?:[’']ll| will)? find) (?:an?|the|your)|as (?:you )?(?:requested|asked),? (?:here|below|this))\b[^\n]{0,120}?\b${KIND_OF_TEXT}\b[^\n]{0,120}${END_OF_LINE}`,
  'i',
);
/** A line that announces what follows, in any language: "Voici l'article :". Not a heading, list, quote or link. */
const ANNOUNCEMENT = /^(?![#>|<*+-] |\d+[.)] )(?!.*:\/\/).{1,200}[:：]\**$/;
/** Words of a line that can only be about the answer. */
const ABOUT_REQUEST = new RegExp(
  String.raw`^${AGREEING_WORD}\b|\byou (?:asked|requested|wanted)|\b(?:requested|rewritten|reworded|revised|shortened|simplified|translated|corrected|improved|edited|polished)\b`,
  'i',
);

/** What a model offers after its answer. */
const OFFER =
  '(?:changes?|adjust\\w*|revis\\w+|edits?|tweak\\w*|modif\\w+|expand\\w*|shorten\\w*|longer|shorter|draft|another version|different (?:tone|angle|style|version)|rewrite|rephrase|anything else|(?:need|want|like) more|(?:further|more) (?:help|assistance|details|information)|any (?:other |further )?questions|assist\\w*)';
/** Words about the answer itself. A change is one of the answer if nothing else follows: not "changes to your booking". */
const ABOUT_TEXT = String.raw`\b(?:${KIND_OF_TEXT}|tone|style|length|wording|(?:changes|adjustments|edits|revisions|tweaks)(?=[,.!]|$))\b`;
/** What a model makes of its answer, or adds to it. */
const NEW_TEXT = String.raw`\b(?:posts|tweets?|threads?|newsletter|meta descriptions?|seo|keywords?|headlines?|titles?|summary|outline|sections?|sources|references|citations|faqs?|${KIND_OF_TEXT}|tone|wording)\b`;
const EDITING =
  '(?:adapt|add|adjust|change|convert|create|draft|edit|expand|extend|generate|include|lengthen|make|prepare|provide|revise|rewrite|shorten|simplify|suggest|tailor|translate|turn|write)';
/** The words of a remark of the model to its user. */
const REMARK_WORDS = [
  String.raw`(?:please )?let me know\b[^\n]{0,160}\b${OFFER}\b`,
  String.raw`feel free to (?:ask|request|let me know|reach out)\b[^\n]{0,160}${ABOUT_TEXT}`,
  String.raw`feel free to (?:adjust|edit|modify|tweak|customi[sz]e|personali[sz]e) (?:it|(?:the|this|its) (?:article|text|post|draft|tone|wording))\b`,
  String.raw`(?:i )?hope (?:this|that|it)(?: \w+)? (?:helps|meets your \w+|works for you|is helpful|is what you \w+ ?\w*)(?:[.!]|$)`,
  // In German, Spanish, French, Italian and Portuguese.
  String.raw`(?:lassen sie|lass) (?:es )?mich (?:gerne |bitte )?wissen|(?:gib|geben sie|sag|sagen sie) mir (?:gerne |bitte )?bescheid|av[ií]s(?:a|e)me|h[aá]zmelo saber|faites-moi savoir|dites-moi si|fammi sapere|mi faccia sapere|(?:me avise|avise-me|diga-me se)`,
  String.raw`n['’]hésitez pas à me (?:dire|demander|faire)|souhaitez-vous que je\b|m[öo]chte(?:st du|n sie), dass ich\b|¿?te gustaría que\b|laat (?:het )?me weten (?:als|of) je`,
  // In Russian, Polish, Chinese and Japanese.
  String.raw`дайте знать, если (?:нужн|хотите|требу)|daj(?:cie)? (?:mi )?znać, (?:jeśli|jeżeli) chce|[^\n]{0,40}(?:修改|调整|調整)[^\n]{0,20}[请請](?:告诉|告訴)|[^\n]{0,40}(?:修正|変更|調整)[^\n]{0,20}(?:お知らせ|お申し付け)ください`,
  String.raw`if you(?:[’']d like| would like| like| want| wish| prefer),? i can (?:also ${EDITING}|${EDITING} (?:it|this|(?:the|this) ${KIND_OF_TEXT}))\b(?=[^\n]{0,200}${NEW_TEXT})`,
  String.raw`(?:do you want me to|shall i) (?:also )?${EDITING}\b(?=[^\n]{0,120}${NEW_TEXT})[^\n]{0,160}\?$`,
  String.raw`(?:i )?hope (?:that )?you (?:find|found) (?:this|the) ${KIND_OF_TEXT} (?:\w+ )?(?:helpful|useful|informative|valuable)(?:[.!]|$)`,
  String.raw`is there anything (?:else )?(?:you(?:[’']d| would)? (?:like|want)|i (?:can|could|should))\b[^\n]{0,80}\b(?:changed?|adjust(?:ed)?|revised?|edit(?:ed)?|improved?)|want me to\b[^\n]{0,120}\?`,
  String.raw`(?:the )?end(?: of (?:the )?${KIND_OF_TEXT})?\][*_]*$|\d[\d.,]* words[)\]*_]+$`,
  String.raw`happy (?:writing|reading|editing|publishing|blogging)!?$`,
  String.raw`would you like (?:me to\b|any\b(?=[^\n]{0,120}\b(?:additions|changes|adjustments|edits|revisions|tweaks)\b|[^\n]{0,120}${ABOUT_TEXT}))`,
  String.raw`(?=[^\n]{0,240}${ABOUT_TEXT})if you\b[^\n]{0,120}\b(?:let me know|just ask|i can|happy to)\b[^\n]{0,120}\b${OFFER}\b`,
  String.raw`(?=[^\n]{0,240}${ABOUT_TEXT})if you\b[^\n]{0,120}\b${OFFER}\b[^\n]{0,120}\b(?:let me know|just ask|i can|happy to)\b`,
  String.raw`(?:please )?note: this (?:article|text) (?:was|is)\b`,
].join('|');
/** A sentence about the answer before a remark: "This article is about 800 words long.", "Ich hoffe, er gefällt Ihnen!". */
const ABOUT_ANSWER = String.raw`(?:this ${KIND_OF_TEXT} (?:is|has|contains)|i(?:[’']ve| have)? (?:kept|written|wrote|made|aimed|tried|included|added|used|removed|focused)(?: to \w+| on)? (?:it|(?:this|the|your) ${KIND_OF_TEXT})\b|(?:i )?hope|ich hoffe|j[’']espère|espero|spero|ik hoop)\b[^\n.!]{0,100}[.!] `;
/** The number of words, which models add to an answer: "*Word count: 812*". */
const WORD_COUNT = String.raw`(?:(?:total )?word count|number of words|wortanzahl|wortzahl|nombre de mots|número de palabras|número de palavras|numero di parole) ?:[ *]*(?:about |approximately |~|≈)?\d[\d.,]*(?: \p{L}+)?[.)\]*_]*$`;
/** A remark as the last paragraph of an answer. */
const REMARK = new RegExp(
  String.raw`^[*_([]*(?:(?:${ABOUT_ANSWER})?(?:${REMARK_WORDS})[^\n]{0,300}$|${WORD_COUNT})`,
  'iu',
);
const REMARK_ANYWHERE = new RegExp(String.raw`\b(?:${REMARK_WORDS})`, 'i');
/** Signs of speech, or of an author to readers: a business, an address, a link, a phone number. */
const SPEECH_OR_AUTHOR = new RegExp(
  [
    String.raw`["“”«»]|\b(?:said|asked|wrote|replied|answered|whispered|told)\b|\bcomments?\b|\bbelow\b`,
    String.raw`\b(?:we|us|our|ours)\b|://|\bwww\.|\]\(|\w@\w|\d[\d ()./-]{4,20}\d`,
    String.raw`\b\d+\w? [\w ]{1,30}\b(?:street|st|road|rd|avenue|ave|lane|square)\b`,
  ].join('|'),
  'i',
);

/** The text without what the model says before it. Keeps a first sentence of the text itself, such as "Sure enough, …". */
export function withoutPreface(text: string, lines = 3): string {
  const [first = '', ...rest] = text.split('\n');
  const line = first.trim();
  let after = rest
    .join('\n')
    .trim()
    .replace(/^-{3,}\n+/, '');
  // "Sure!", then "Here’s your article:".
  if (lines > 1 && AGREEMENT.test(line)) after = withoutPreface(after, lines - 1);
  const isPreface = /^(?:# |```(?:markdown|md)\b)/.test(after)
    ? AGREEMENT.test(line) || HERE_IS.test(line) || IS_WRITTEN.test(line)
    : HERE_IS.test(line) &&
      (/^(?:#{2,6} |```|~~~)/.test(after) || (/:\**$/.test(line) && ABOUT_REQUEST.test(line)));
  return isPreface && after !== '' ? after : text;
}

/** A line before a rule: "Gerne!". */
const EXCLAMATION = /^[^#\n]{1,60}[!！]$/;

/** The article without a line before its title that announces it, in any language, and without a rule there. */
export function withoutAnnouncement(article: string): string {
  const ruled = article.replace(/^-{3,}\n+(?=# )/, '');
  const [first = '', ...rest] = ruled.split('\n');
  const below = rest.join('\n').trim();
  const after = below.replace(/^-{3,}\n+/, '');
  const isAnnouncement =
    ANNOUNCEMENT.test(first.trim()) || (after !== below && EXCLAMATION.test(first.trim()));
  return isAnnouncement && after.startsWith('# ') ? after : ruled;
}

/** The text without last paragraphs or a last line in which the model offers changes or help. */
export function withoutRemark(text: string, paragraphs = 2): string {
  for (const separator of ['\n\n', '\n']) {
    const at = text.lastIndexOf(separator);
    const last = text
      .slice(at)
      .trim()
      .replace(/^-{3,}\n+/, '');
    // A text that announces words as its own ends with them.
    const isAnnounced = /[:：]$/.test(text.slice(0, Math.max(at, 0)).trimEnd());
    if (at <= 0 || isAnnounced || !REMARK.test(last) || SPEECH_OR_AUTHOR.test(last)) continue;
    const rest = text
      .slice(0, at)
      .trim()
      .replace(/(?<!\n)\n+-{3,}$/, '');
    return paragraphs > 1 ? withoutRemark(rest, paragraphs - 1) : rest;
  }
  return text;
}

/** True if a text has words itself that are a remark of the model after it, as a letter may. */
export const hasRemark = (text: string): boolean => REMARK_ANYWHERE.test(text);
