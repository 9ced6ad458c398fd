import { NOT_PROOFREAD } from '#libs/contract/language-faults.js';
import { escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import type { ResumeReview } from '#libs/tools/resume-review/contract.js';

type Proofreading = ResumeReview['proofreading'];
type Fault = NonNullable<Proofreading>['faults'][number];

const MOST_LISTED = 25;

/** The section of a review about spelling and grammar, in Markdown. */
export function languageSection(proofreading: Proofreading): string {
  return `## Spelling and grammar\n\n${findings(proofreading).join('\n')}`;
}

function findings(proofreading: Proofreading): string[] {
  if (!proofreading) return [`- **Note.** ${NOT_PROOFREAD}`];
  const { faults, isWhole } = proofreading;
  const end = isWhole ? [] : ['- **Note.** The resume is long: only its first part was read for this.'];
  if (faults.length === 0) {
    return [
      '- **Good.** No fault was found in its English sentences and bullets. Names, titles and lists of skills are not read.',
      ...end,
    ];
  }
  const more = faults.length - MOST_LISTED;
  return [
    ...faults.slice(0, MOST_LISTED).map(findingOf),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...end,
  ];
}

function findingOf({ kind, quote, context, message, suggestions, page, line, section }: Fault): string {
  const advice = suggestions.map((one) => (one === '' ? 'nothing' : `“${one}”`)).join(' or ');
  const words = `“${quote}”${advice && `: perhaps ${advice}`}.${kind === 'grammar' ? ` ${message}` : ''}`;
  const place = `Page ${page}, line ${line}${section ? `, under “${section}”` : ''}: “${context}”`;
  return `- **To improve.** ${kind === 'spelling' ? 'Spelling' : 'Grammar'}: ${escapeMarkdown(words)}\n  - ${escapeMarkdown(place)}`;
}
