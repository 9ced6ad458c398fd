const openers = [
  'Most people meet',
  'It pays to look at',
  'A short walk explains',
  'Nobody forgets',
  'There is a quiet side to',
];
const verbs = ['shapes', 'slows', 'lifts', 'tests', 'frames', 'softens', 'guides', 'changes'];
const things = [
  'the morning',
  'a small team',
  'the harvest',
  'an old habit',
  'the budget',
  'every draft',
  'a long road',
];
const qualities = ['steady', 'plain', 'bright', 'patient', 'useful', 'rare', 'honest'];
const headings = [
  'Where it begins',
  'What it asks of you',
  'A closer look',
  'What to keep',
  'Where it leads',
];

/**
 * A Markdown text of exactly `words` words, the same for the same prompt and different for another: headings,
 * paragraphs, emphasis and lists. Words are counted by whitespace, marks such as `##` and `-` not among them.
 */
export function writeArticle(prompt: string, words: number): string {
  const next = numbersFrom(prompt);
  const pick = (list: readonly string[]) => list[next() % list.length] ?? '';
  const subject = prompt.split(/\s+/).slice(0, 6).join(' ') || 'Nothing';
  let left = words;
  const take = (text: string) => {
    const taken = text.split(/\s+/).slice(0, Math.max(0, left));
    left -= taken.length;
    return taken.join(' ');
  };
  const sentence = () =>
    `${pick(openers)} ${pick(things)}, and it **${pick(verbs)}** ${pick(things)} in a *${pick(qualities)}* way.`;

  const blocks = [`# ${take(subject)}`];
  for (let section = 0; left > 0; section += 1) {
    blocks.push(`## ${take(headings[section % headings.length] ?? '')}`);
    for (let i = 0; i < 3 && left > 0; i += 1) blocks.push(take(`${sentence()} ${sentence()} ${sentence()}`));
    const items: string[] = [];
    for (let i = 0; i < 3 && left > 0; i += 1) items.push(`- ${take(`${pick(qualities)} ${pick(things)}`)}`);
    blocks.push(items.join('\n'));
  }
  return blocks.filter((block) => !/^(#+ ?)?$/.test(block)).join('\n\n');
}

/** A fixed sequence of whole numbers for each seed text (FNV-1a, then xorshift). */
function numbersFrom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  state = state >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}
