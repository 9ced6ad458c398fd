import { withoutMarkers } from './behaviour.ts';

interface Message {
  role: string;
  content: string;
}

/** A model's answer in the form that a tool's instructions ask for; null for tools that want an article. */
export function answerInForm(messages: Message[]): string | null {
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (system.startsWith('You are an editor who works on one passage'))
    return rewritingOf(system, messages.find(({ role }) => role === 'user')?.content ?? '');
  if (system.startsWith('You name an animal')) return '{"word":"heron"}';
  if (system.startsWith('You suggest titles')) return titlesFor(withoutMarkers(prompt));
  // Every part as it was: all facts come through.
  if (/<part[\w-]* n="1">/.test(system))
    return prompt.match(/<(part[\w-]*) n="\d+">[^]*?<\/\1>/g)?.join('\n\n') ?? '';
  if (system.startsWith('You translate a question'))
    return withoutMarkers(prompt.split(/^Question: /m).at(-1) ?? '');
  if (system.startsWith('You answer questions about one PDF')) return quotationFrom(system);
  if (system.startsWith('You answer questions about several documents')) return quotationFromSources(system);
  if (system.startsWith('You summarise one document')) return summaryOf(prompt);
  if (system.startsWith('You compare a resume')) return comparisonOf(prompt);
  if (system.startsWith('You are an experienced recruiter')) return REVIEW;
  if (system.startsWith('You tailor the bullets')) return JSON.stringify({ bullets: linesOf(prompt, '') });
  if (system.startsWith('You write the middle of a cover letter'))
    return JSON.stringify({ role: null, paragraphs: [{ sentences: linesOf(prompt, 'My work: ') }] });
  return null;
}

/** The passage with all its facts, and a word more or less in each paragraph. */
function rewritingOf(system: string, prompt: string): string {
  const passage = /<passage>\n([^]*?)\n<\/passage>/.exec(prompt)?.[1] ?? '';
  const text = withoutMarkers(passage);
  if (system.includes('Continue after the passage')) return 'And so it goes on, in the same voice.';
  return text
    .split('\n\n')
    .map((block) =>
      block.replace(/\b(?:very|utilized|plethora of) /g, '').replace(/([.!?])$/, ', in short$1'),
    )
    .join('\n\n');
}

/** The first words of the first passage, with its page. */
function quotationFrom(instructions: string): string {
  const [, page, text = ''] = /^<passage-\S+ page="(\d+)">\n(.*)$/m.exec(instructions) ?? [];
  return `The document says "${text.split(' ').slice(0, 6).join(' ')}" [p. ${page}].`;
}

/** The first words of the first passage of each of two sources, with their places. */
function quotationFromSources(instructions: string): string {
  const passages = new Map(
    Array.from(
      instructions.matchAll(/^<passage-\S+ source="(\d+)" page="(\d+)">\n(.*)$/gm),
      ([, source = '', page = '', text = '']) =>
        [source, `"${text.split(' ').slice(0, 6).join(' ')}" [${source}, p. ${page}]`] as const,
    ).toReversed(),
  );
  return `The documents say ${[...passages.values()].toReversed().slice(0, 2).join(', and ')}.`;
}

/** The first lines of the document as its summary. */
function summaryOf(material: string): string {
  const lines = (/<document>([^]*?)<\/document>/.exec(material)?.[1] ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\[page \d+\]$/.test(line));
  return JSON.stringify({
    summary: lines.slice(0, 2).join(' ') || 'An empty document.',
    keyPoints: [lines[0] ?? 'It is empty.', lines.at(-1) ?? 'It is empty.'],
    questions: [1, 2, 3, 4, 5].map((number) => `What does point ${number} of this document say?`),
  });
}

/** Every capitalised word of the job description is a skill; the resume has it where its text does. */
function comparisonOf(material: string): string {
  const part = (name: string) => new RegExp(`<${name}>([^]*?)</${name}>`).exec(material)?.[1] ?? '';
  const words = new Set(part('job_description').match(/\b[A-Z][a-z]{3,}\b/g));
  const skills = [...words].map((skill) => {
    const match = part('resume').includes(skill);
    const resume_quote = match ? skill : null;
    return { skill, importance: 'required', job_quote: skill, match, resume_quote, feedback: '' };
  });
  return JSON.stringify({ skills, suggestions: [] });
}

/** The first bullets of the resume, each with itself as its source. */
function linesOf(material: string, before: string) {
  const resume = /<resume>([^]*?)<\/resume>/.exec(material)?.[1] ?? '';
  const bullets = Array.from(resume.matchAll(/^• (.*)$/gm), ([, line = '']) => line);
  return bullets
    .slice(0, 3)
    .map((line) => ({ text: `${before}${line}`, resume_quotes: [line], job_quote: null }));
}

const REVIEW = `# Resume review
## Overall
The resume is in the order in which a reader looks for things, and says plainly what was done and for whom.
## Next steps
- Begin each line with what you did, and add how many people it helped: [number].`;

/** Others than those that the message has. */
function titlesFor(message: string): string {
  const [keyword = ''] = message.slice(0, 60).split('\n');
  const known = message.match(/^View \d+ of /gm)?.length ?? 0;
  const views = Array.from({ length: 12 }, (_, index) => known + index + 1);
  return views.map((view, index) => `${index + 1}. View ${view} of ${keyword}`).join('\n');
}
