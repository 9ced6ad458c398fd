import { escapeMarkdown, oneLine } from '#libs/local-engine/text/markdown-text.js';
import type { EngineName } from '#libs/contract/engine.js';
import type { AtsResult } from './contract.js';

export function renderReport(
  { score, breakdown, order, feedback, suggestions, requirements }: AtsResult,
  engine: EngineName,
  notice: string | null,
): string {
  const rows = order.flatMap((key) => {
    const skill = breakdown[key];
    if (!skill) return [];
    const { match, weight, job, resume } = skill;
    return row([
      key.replaceAll('_', ' '),
      match ? 'match' : 'missing',
      String(weight),
      quoted(job.quote),
      resume ? `${quoted(resume.quote)} (page ${resume.page})` : '–',
    ]);
  });
  const facts = requirements.map(
    ({ job, met, note }) =>
      `- ${safe(`“${job.quote}”`)}: ${met === null ? 'cannot be told' : met ? 'met' : 'not met'}. ${safe(note)}`,
  );
  return [
    `# ATS score: ${score} / 100`,
    engine === 'offline' ? '*Computed on this server, by matching words.*' : '',
    safe(feedback),
    notice ? `**About the file:** ${safe(notice)}` : '',
    '## Skills',
    ['| Skill | Result | Weight | Job description | Resume |', '|---|---|---|---|---|', ...rows].join('\n'),
    ...(facts.length > 0
      ? ['## Experience and education', facts.join('\n'), '*Not part of the score.*']
      : []),
    '## Suggestions',
    suggestions.map((suggestion) => `- ${safe(suggestion)}`).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

const safe = (text: string) => escapeMarkdown(oneLine(text));
const quoted = (text: string) => `“${text}”`;
const row = (cells: string[]) => `| ${cells.map(safe).join(' | ')} |`;
