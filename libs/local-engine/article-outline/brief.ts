import { listedLines, paragraphsOf, pointsOfView, wordsToAvoid, type Brief } from '#libs/contract/brief.js';
import { shorten } from '#libs/contract/text.js';
import { escapeMarkdown, oneLine } from '#libs/local-engine/text/markdown-text.js';
import { weigh } from './terms.js';

const MOST_PASSAGES = 8;
const PASSAGE_LETTERS = 240;

const safe = (text: string) => escapeMarkdown(oneLine(text));

/** Lines for the top of the outline with the brief's audience, tone, point of view and language. */
export function briefFacts({ audience, tone, pointOfView, language }: Brief): string[] {
  return [
    audience && `**For:** ${safe(audience)}`,
    tone && `**Tone:** ${safe(tone)}`,
    pointOfView && `**Point of view:** ${pointsOfView[pointOfView]}`,
    language && `**Language:** ${safe(language)}`,
  ].filter((fact): fact is string => Boolean(fact));
}

/** Yields up to two Markdown blocks: the points to cover, and the most relevant passages of the sources. */
export function* briefBlocks({ points, sources = '' }: Brief, terms: readonly string[]): Generator<string> {
  const listed = listedLines(points).map(safe);
  if (listed.length > 0) {
    yield [
      '## Points to cover',
      'Cover each of them in one of the sections.',
      listed.map((point) => `- [ ] ${point}`).join('\n'),
    ].join('\n\n');
  }
  const passages = passagesOf(sources, terms);
  if (passages.length > 0) {
    yield [
      '## From your sources',
      'The most relevant passages for your topic, word for word, each with the number of its paragraph.',
      passages.map(({ text, paragraph }) => `- “${safe(text)}” \\[${paragraph}\\]`).join('\n'),
    ].join('\n\n');
  }
}

/** Items for the outline's checklist before publishing that follow from the brief. */
export function briefChecks(brief: Brief): string[] {
  const avoid = wordsToAvoid(brief);
  return [
    ...(avoid.length > 0 ? [`None of these words is left: ${avoid.map(safe).join(', ')}.`] : []),
    ...listedLines(brief.rules).map(safe),
    ...(brief.sample ? ['It sounds like your sample.'] : []),
  ];
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The source sentences with the most relevant terms, in document order. */
function passagesOf(sources: string, terms: readonly string[]) {
  return paragraphsOf(sources)
    .flatMap((text, index) =>
      Array.from(sentences.segment(text), ({ segment }) => ({
        text: segment.trim(),
        paragraph: index + 1,
        weight: weigh(segment, [...terms]),
      })),
    )
    .filter(({ text }) => text.split(' ').length > 3)
    .map((passage, at) => ({ ...passage, at }))
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .slice(0, MOST_PASSAGES)
    .sort((a, b) => a.at - b.at)
    .map(({ text, paragraph }) => ({ text: shorten(text, PASSAGE_LETTERS), paragraph }));
}
