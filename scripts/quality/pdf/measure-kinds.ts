import { z } from 'zod';
import { answerOffline } from '#libs/local-engine/pdf-search/answer.js';
import { indexPassages } from '#libs/local-engine/pdf-search/search.js';
import { readYaml } from '../../stack/read-yaml.ts';
import { documents as written } from './documents.ts';
import { embedPages, meaningOf, type Model } from './meaning.ts';
import type { Share } from './measure.ts';

const schema = z.object({
  documents: z.array(
    z.object({ name: z.string(), labels: z.array(z.string()).nullable(), pages: z.array(z.string()) }),
  ),
  questions: z.array(
    z.object({
      in: z.string(),
      kind: z.string(),
      question: z.string(),
      page: z.number().nullable(),
      before: z.string().optional(),
    }),
  ),
});

const { questions, documents } = readYaml(new URL('kinds.yaml', import.meta.url), schema);

/** The pages as the PDF reader gives them. */
const read = [
  ...documents,
  ...written.map(({ name, pages }) => ({
    name,
    labels: null,
    pages: pages.map(({ heading, text }) => `${heading}\n\n${text}`),
  })),
];

export interface KindsQuality {
  pageAt1: Share;
  refused: Share;
  misses: string[];
}

/** Asks the questions of kinds.yaml. Every second one was used for tuning; of the others, only sums are for reading. */
export async function measureKinds(model: Model): Promise<{ tuning: KindsQuality; reported: KindsQuality }> {
  const empty = (): KindsQuality => ({
    pageAt1: { of: 0, hits: 0 },
    refused: { of: 0, hits: 0 },
    misses: [],
  });
  const halves = { tuning: empty(), reported: empty() };
  const indexed = new Map<
    string,
    { index: ReturnType<typeof indexPassages>; vectors: Awaited<ReturnType<typeof embedPages>> }
  >();
  for (const { name, pages } of read) {
    indexed.set(name, { index: indexPassages(pages), vectors: await embedPages(pages, model) });
  }
  for (const [at, { in: name, kind, question, page, before }] of questions.entries()) {
    const half = halves[at % 2 === 0 ? 'tuning' : 'reported'];
    const document = read.find((each) => each.name === name);
    const found = indexed.get(name);
    if (!document || !found) throw new Error(`There is no document ${name}.`);
    const history = before === undefined ? [] : [{ role: 'user' as const, content: before }];
    const asked = { question, history, fileName: 'a.pdf', pages: document.pages, labels: document.labels };
    const meaning = await meaningOf(asked, found.vectors, model);
    const { quotes, isUncertain = false } = answerOffline(found.index, { ...asked, meaning });
    const given = isUncertain ? undefined : quotes[0]?.page;
    const share = page === null ? half.refused : half.pageAt1;
    share.of += 1;
    if (given === (page ?? undefined)) share.hits += 1;
    else half.misses.push(`${name}, ${kind}: ${question} — got ${given ? `page ${given}` : 'not there'}`);
  }
  return halves;
}
