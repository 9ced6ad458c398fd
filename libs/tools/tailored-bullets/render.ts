import type { EngineName } from '#libs/contract/engine.js';
import { SOURCES_HEADING } from '#libs/contract/markdown.js';
import type { Selection } from '#libs/local-engine/resume-match/choose-statements.js';
import { droppedNotice, safe, sourceLines, type Sources } from '../shared/resume-claims/sources.js';

export interface Bullet extends Sources {
  text: string;
  /** The resume lines that name the position of the bullet; null if unknown. */
  position: string | null;
}

const NO_POSITION = 'Other lines';

const explanations: Record<EngineName, string> = {
  openai:
    'Below each bullet stand the words of your resume that it rests on, and those of the job description that it answers. Every number, name and tool was compared with them. Read each once more before you send it.',
  offline:
    'These are your own lines, word for word. This server chose those that name what the job asks for, the weightiest first within each position. It rewrote nothing; with an AI service, Pressroom words them for the job.',
};

export function renderBullets(
  bullets: readonly Bullet[],
  missing: Selection['missing'],
  { engine, dropped }: { engine: EngineName; dropped: number },
): string {
  const positions = Map.groupBy(bullets, ({ position }) => position ?? NO_POSITION);
  const sections = Array.from(positions, ([position, own]) =>
    [
      positions.size === 1 && position === NO_POSITION ? [] : [`## ${safe(position)}`, ''],
      own.flatMap((bullet) => [`- ${safe(bullet.text)}`, ...sourceLines(bullet, bullet.text)]),
    ]
      .flat()
      .join('\n'),
  );
  return [
    '# Tailored bullets',
    ...sections,
    `## ${SOURCES_HEADING}`,
    explanations[engine],
    ...droppedNotice(dropped, 'suggestion'),
    ...missingSection(missing),
  ]
    .join('\n\n')
    .concat('\n');
}

function missingSection(missing: Selection['missing']): string[] {
  if (missing.length === 0) return [];
  return [
    '### Asked for, and in no line of your work',
    missing
      .map(
        ({ name, quote, listed }) =>
          `- **${safe(name)}** (“${safe(quote)}”): ${listed ? 'your resume names it elsewhere.' : 'not in your resume.'}`,
      )
      .join('\n'),
    'Where you have done it, add a line that says where and for what.',
  ];
}
