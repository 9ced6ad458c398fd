import { SOURCES_HEADING } from '#libs/contract/markdown.js';
import type { EngineName } from '#libs/contract/engine.js';
import type { Selection } from '#libs/local-engine/resume-match/choose-statements.js';
import { droppedNotice, safe, sourceLines, type Sources } from '../shared/resume-claims/sources.js';

export interface Sentence extends Sources {
  text: string;
}

/** A part of the letter: a paragraph of sentences, or lines of the resume as a list under the position they belong to. */
export type Part = { sentences: Sentence[] } | { position: string; lines: Sentence[] };

interface Letter {
  engine: EngineName;
  role: Selection['role'];
  /** The applicant's name; null if the resume does not begin with a name. */
  name: string | null;
  parts: Part[];
  dropped: number;
}

const LONGEST_SHOWN = 90;

const explanations: Record<EngineName, string> = {
  openai:
    'Every number, name and tool was compared with these words. The greeting, the sentence after the last paragraph and the name claim nothing.',
  offline:
    'The lines are your own; this server chose those that name what the job asks for. Only the beginning of an English line was changed for a letter. Of a line that the review would criticise, such as one with a stock phrase or a misspelt word, the letter only names what it is about. With an AI service, Pressroom writes the sentences, each from a line of your resume.',
};

export function renderLetter({ engine, role, name, parts, dropped }: Letter): string {
  const position = role ? `of ${role.title}` : 'that you describe';
  const opening = {
    text: `I am applying for the position ${position}.`,
    resume: [],
    job: role?.quote ?? null,
  };
  const sentences = [
    opening,
    ...parts.flatMap((part) => ('sentences' in part ? part.sentences : part.lines)),
  ];
  return [
    '# Cover letter',
    'Dear hiring team,',
    safe(opening.text),
    ...parts.map((part) =>
      'sentences' in part
        ? part.sentences.map(({ text }) => safe(text)).join(' ')
        : [`**${safe(part.position)}**`, '', ...part.lines.map(({ text }) => `- ${safe(text)}`)].join('\n'),
    ),
    'I would be glad to tell you more in a conversation.',
    `Kind regards,\\\n${name === null ? '\\[Your name\\]' : safe(name)}`,
    `## ${SOURCES_HEADING}`,
    sentences
      .filter(({ resume, job }) => resume.length > 0 || job !== null)
      .map((sentence, index) =>
        [
          `${index + 1}. “${safe(shortened(sentence.text))}”`,
          ...sourceLines(sentence, sentence.text, '   '),
        ].join('\n'),
      )
      .join('\n'),
    explanations[engine],
    ...droppedNotice(dropped, 'sentence'),
  ]
    .join('\n\n')
    .concat('\n');
}

function shortened(text: string): string {
  if (text.length <= LONGEST_SHOWN) return text;
  const cut = text.slice(0, LONGEST_SHOWN);
  return `${cut.slice(0, cut.lastIndexOf(' ')).toWellFormed()} …`;
}
