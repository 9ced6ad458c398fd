import type { ArticleInput } from '#libs/tools/generate-article/contract.js';
import { filledBrief, type Brief } from '#libs/contract/brief.js';
import { briefBlocks, briefChecks, briefFacts } from './brief.js';
import { recogniseKind, type Kind } from './kind.js';
import { capitalise, escapeMarkdown } from '#libs/local-engine/text/markdown-text.js';
import { shuffleFrom } from '../random.js';
import { angles, forms, sectionsFor, termQuestions, type Angle, type SectionPlan } from './sections.js';
import { keyTerms } from './terms.js';
import { readTopic, type Topic } from './topic.js';

export interface OutlineSection extends SectionPlan {
  /** Planned length in words, a multiple of ten. */
  words: number;
}

export interface Outline {
  topic: Topic;
  kind: Kind;
  /** The topic's key terms, the most relevant first; empty when the topic has only common words. */
  terms: string[];
  length: number;
  /** One question for each section; `{}` stands for a key term. */
  termQuestions: readonly string[];
  /** A way to present the topic, so that outlines with different seeds differ; null without a seed. */
  angle: Angle | null;
  brief: Brief;
  /** In reading order; their words add up to `length`. */
  sections: OutlineSection[];
}

/**
 * Plans an article: its kind, its sections and their lengths.
 * @param seed chooses sections, questions and an angle; default: the sections of the shortest articles and no angle
 */
export function planOutline({ prompt, length, ...brief }: ArticleInput, seed?: number): Outline {
  const topic = readTopic(prompt);
  const kind = recogniseKind(topic.headline);
  const shuffle = seed === undefined ? undefined : shuffleFrom(String(seed));
  return {
    topic,
    kind,
    terms: termsOf(topic),
    length,
    brief: filledBrief(brief),
    sections: distributeWords(sectionsFor(kind, length, shuffle), length),
    termQuestions: shuffle?.(termQuestions) ?? termQuestions,
    angle: shuffle?.(angles)[0] ?? null,
  };
}

/** The key terms of a topic. The verb of a how-to ("bake" in "how to bake bread") is not a term. */
function termsOf({ text }: Topic): string[] {
  const withoutVerb = text.replace(/\bhow\s+(?:to|(?:do|can|should)\s+\p{L}+)\s+\p{L}+/giu, '');
  const terms = keyTerms(withoutVerb);
  return terms.length > 0 ? terms : keyTerms(text);
}

/** Yields the outline's Markdown blocks. `words` is the length of the article's section that the block plans, else 0. */
export function* writeOutline(outline: Outline): Generator<{ markdown: string; words: number }> {
  yield { markdown: opening(outline), words: 0 };
  if (outline.topic.points.length > 0) yield { markdown: ownPoints(outline.topic.points), words: 0 };
  for (const markdown of briefBlocks(outline.brief, outline.terms)) yield { markdown, words: 0 };
  for (const [index, section] of outline.sections.entries()) {
    yield { markdown: writeSection(section, index, outline), words: section.words };
  }
  yield { markdown: checklist(outline), words: 0 };
}

/** Distributes `length` words over the sections by weight, in multiples of ten (largest remainder method). */
function distributeWords(sections: SectionPlan[], length: number): OutlineSection[] {
  const tens = length / 10;
  const weights = sections.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const exact = sections.map(({ weight = 1 }) => (tens * weight) / weights);
  const shares = exact.map(Math.floor);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  const left = tens - shares.reduce((sum, share) => sum + share, 0);
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return sections.map((section, index) => ({ ...section, words: (shares[index] ?? 0) * 10 }));
}

function opening({ topic, kind, terms, length, sections, angle, brief }: Outline): string {
  const facts = [
    `**Form:** ${forms[kind.form].name}`,
    `**Length:** ${length} words in ${sections.length} sections`,
    ...(terms.length > 0 ? [`**Key terms:** ${terms.map((term) => escapeMarkdown(term)).join(', ')}`] : []),
    ...briefFacts(brief),
  ];
  return [
    `# ${escapeMarkdown(capitalise(topic.headline))}`,
    '> **An outline, made by rules on this server.** It is a plan to write from, not a finished article, and it states no facts of its own.',
    facts.join(' · '),
    ...(angle === null ? [] : [`**Angle:** ${angle.name}. ${angle.advice}`]),
    ...(topic.isEnglish
      ? []
      : ['The headings and questions below are in English; write in the language of your topic.']),
  ].join('\n\n');
}

function ownPoints(points: string[]): string {
  return [
    '## From your own text',
    'These passages say the most about your topic. Use each of them in one of the sections.',
    points.map((point) => `- “${escapeMarkdown(point)}”`).join('\n'),
  ].join('\n\n');
}

function writeSection(
  section: OutlineSection,
  index: number,
  { terms, termQuestions, angle }: Outline,
): string {
  const term = terms[index % Math.max(1, terms.length)];
  const frame = termQuestions[index % termQuestions.length] ?? '';
  const questions = [
    ...section.ask,
    ...(angle?.ask.slice(index - 1, index) ?? []),
    ...(term ? [frame.replace('{}', () => escapeMarkdown(term))] : []),
  ];
  return [
    `## ${index + 1}. ${section.heading} (${section.words} words)`,
    section.cover,
    '**Questions to answer**',
    questions.map((question) => `- ${question}`).join('\n'),
    '**Fill in**',
    section.fill.map((blank) => `- ${capitalise(blank)}: ____`).join('\n'),
  ].join('\n\n');
}

function checklist({ kind, length, brief }: Outline): string {
  const checks = [
    'Every blank is filled in, or its line is deleted.',
    ...forms[kind.form].checks,
    'Every figure, date, name and quotation has a source that you have checked.',
    'The article keeps what the title promises.',
    `The article has about ${length} words, and no section is far over its budget.`,
    ...briefChecks(brief),
    'You have read it aloud once and cut what was hard to read.',
  ];
  return ['## Before you publish', checks.map((check) => `- [ ] ${check}`).join('\n')].join('\n\n');
}
