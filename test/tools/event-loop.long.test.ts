import { beforeAll, describe, expect, it } from '@jest/globals';
import { readPdfPages } from '#libs/documents/read-pdf-pages.js';
import type { Documents } from '#libs/documents/documents.js';
import { articleHandler } from '#libs/tools/generate-article/run.js';
import { atsHandler } from '#libs/tools/calculate-ats-score/run.js';
import type { InputFile } from '#libs/contract/files.js';
import { blogTitleHandler } from '#libs/tools/generate-blog-title/run.js';
import { chatWithPdfHandler } from '#libs/tools/chat-with-pdf/run.js';
import { generateImageHandler } from '#libs/tools/generate-image/run.js';
import { humanizeHandler } from '#libs/tools/humanize-text/run.js';
import { removeImageBackgroundHandler } from '#libs/tools/remove-image-background/run.js';
import { removeImageObjectHandler } from '#libs/tools/remove-image-object/run.js';
import { coverLetterHandler } from '#libs/tools/cover-letter/run.js';
import { tailoredBulletsHandler } from '#libs/tools/tailored-bullets/run.js';
import { resumeReviewHandler } from '#libs/tools/resume-review/run.js';
import { rewriteHandler } from '#libs/tools/rewrite-text/run.js';
import { cpuTime, slowness } from '../support/cpu-time.ts';
import { discMask, discOnBlue, inputFile } from '../support/image-files.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { makePdf } from '../support/pdf.ts';
import { recordRun } from '../support/run-context.ts';
import { useTextProvider } from '../support/text-provider.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

/** No step may block the event loop for longer, on a processor of usual speed. */
const MAX_BLOCKED_MS = 100;
/** Runs the check with a hostile text. */
const MAX_BLOCKED_BY_HOSTILE_MS = 200;
/** Lines of a provider's review, each of which is checked: ten times the usual number. */
const REVIEW_LINES = 400;

/**
 * Long computations of a job run on other threads. The test measures the CPU time of this thread between two turns of
 * its event loop, since elapsed time would include other processes.
 */
describe('The event loop of a worker', () => {
  it('is measured as blocked when it is', async () => {
    const { longest } = await measure(async () => {
      for (const until = cpuTime() + 2 * MAX_BLOCKED_MS; cpuTime() < until;);
    });
    expect(longest).toBeGreaterThan(MAX_BLOCKED_MS);
  });

  describe('is not blocked while a picture of 4000 pixels', () => {
    const size = [4_000, 2_500] as const;
    let image: InputFile;
    beforeAll(async () => {
      image = inputFile(
        await discOnBlue(...size)
          .jpeg({ quality: 90 })
          .toBuffer(),
        'photo.jpg',
        'image/jpeg',
      );
    });

    it('loses its background', () =>
      expectUnblocked(() =>
        removeImageBackgroundHandler.offline({}, recordRun({ files: { image } }).context),
      ));

    it('loses an object', async () => {
      const mask = inputFile(await discMask(...size, 0.1), 'mask.png');
      await expectUnblocked(() =>
        removeImageObjectHandler.offline({ object: '' }, recordRun({ files: { image, mask } }).context),
      );
    });

    it('is drawn', () =>
      expectUnblocked(() =>
        generateImageHandler.offline(
          { prompt: 'A boat on a wide river at dusk', size: '1536x1024', publish: false, count: 1 },
          recordRun().context,
        ),
      ));
  });

  describe('is not blocked while a long text', () => {
    const pages = Array.from({ length: 39 }, (_, page) =>
      [
        `Experience\nSenior Engineer, Acme ${2_000 + (page % 20)}-2024`,
        `• Built ${page} services in Python and SQL, and ran them on Kubernetes with Docker`,
        prose(480, 12),
        'Skills: Python, SQL',
      ].join('\n'),
    );
    const documents = documentsOf(pages);
    const files = { resume: inputFile(Buffer.alloc(0), 'resume.pdf', 'application/pdf') };
    const jobDescription =
      `Requirements: 5+ years of Python, Docker, Kubernetes and SQL. Bachelor degree preferred. ${prose(40)}\n`
        .repeat(70)
        .slice(0, 20_000);

    // Modules are loaded before the measurement.
    beforeAll(async () => {
      await Promise.all([
        humanizeHandler.offline({ text: prose(100) }, recordRun().context),
        atsHandler.offline({ jobDescription }, recordRun({ files, documents }).context),
        resumeReviewHandler.offline({}, recordRun({ files, documents }).context),
        tailoredBulletsHandler.offline({ jobDescription }, recordRun({ files, documents }).context),
      ]);
    });

    it.each([
      ['paragraphs', prose(1_000, 80)],
      ['one paragraph', prose(1_000)],
      ['one word', 'abcdefghij'.repeat(2_000)],
    ])('of %s is humanized', (_, text) =>
      expectUnblocked(() => humanizeHandler.offline({ text }, recordRun().context)),
    );

    it('is compared with a job description', () =>
      expectUnblocked(() => atsHandler.offline({ jobDescription }, recordRun({ files, documents }).context)));

    it('is searched for lines that answer a job', () =>
      expectUnblocked(() =>
        tailoredBulletsHandler.offline({ jobDescription }, recordRun({ files, documents }).context),
      ));

    it('is checked as a resume', () =>
      expectUnblocked(() => resumeReviewHandler.offline({}, recordRun({ files, documents }).context)));

    it('is read from a PDF', async () => {
      const bytes = await makePdf(Array.from({ length: 120 }, () => prose(250, 10)));
      await expectUnblocked(() => readPdfPages(bytes, { signal: new AbortController().signal }));
    });
  });
});

/** The slowest hostile text of each kind. */
const worst = [
  'closing brackets',
  'nested footnotes',
  'open emphasis',
  'quotes in lists',
  'lazy lines',
  'headings',
  'a long table',
  'low quotation marks',
  'one word',
  'Chinese without spaces',
  'line ends',
  'abbreviations',
  'brackets of JSON',
  'tags of parts',
] as const;

/** Texts that a user sends, that a PDF has, and that an AI service answers. */
describe('The event loop of a worker is not blocked while a hostile text', () => {
  const ai = useTextProvider();
  const resume = `Skills: Python, SQL.\n${prose(200)}`;
  const file = inputFile(Buffer.alloc(0), 'resume.pdf', 'application/pdf');
  const withPages = (pages: string[]) =>
    recordRun({ files: { resume: file, pdf: file }, documents: documentsOf(pages) }).context;
  const answering = (text: string) => ai.fake.script({ text });

  const uses: [string, (text: string) => Promise<unknown>][] = [
    ['is humanized', (text) => humanizeHandler.offline({ text }, recordRun().context)],
    [
      'is humanized by a provider',
      (text) => {
        answering(text);
        return humanizeHandler.withProvider({ text }, ai.provider, recordRun().context);
      },
    ],
    [
      'is what a provider makes of a text',
      (text) => {
        answering(`<part n="1">${text}</part>`);
        return humanizeHandler.withProvider({ text: prose(100) }, ai.provider, recordRun().context);
      },
    ],
    ['is made shorter', (text) => rewriteHandler.offline({ text, action: 'shorter' }, recordRun().context)],
    [
      'is a provider’s rewriting',
      (text) => {
        answering(text);
        return rewriteHandler.withProvider({ text, action: 'fix' }, ai.provider, recordRun().context);
      },
    ],
    [
      'is a provider’s titles',
      (text) => {
        answering(text);
        const input = { prompt: 'Tea', category: 'General' } as const;
        return blogTitleHandler.withProvider(input, ai.provider, recordRun().context);
      },
    ],
    [
      'is a provider’s article',
      (text) => {
        answering(text);
        return articleHandler.withProvider({ prompt: 'Tea', length: 800 }, ai.provider, recordRun().context);
      },
    ],
    [
      'is a subject',
      async (text) => {
        await articleHandler.offline({ prompt: text.slice(0, 2_000), length: 800 }, recordRun().context);
        const input = { prompt: text.slice(0, 2_000), category: 'General' } as const;
        await blogTitleHandler.offline(input, recordRun().context);
      },
    ],
    [
      'is compared as a resume and as a job description',
      (text) => atsHandler.offline({ jobDescription: text }, withPages([resume, text])),
    ],
    [
      'is a provider’s comparison',
      (text) => {
        answering(text);
        return atsHandler.withProvider({ jobDescription: text }, ai.provider, withPages([resume, text]));
      },
    ],
    [
      'has lines for a job and for a letter',
      async (text) => {
        const context = withPages([resume, text]);
        await tailoredBulletsHandler.offline({ jobDescription: text }, context).catch(() => undefined);
        await coverLetterHandler.offline({ jobDescription: text }, context);
      },
    ],
    [
      'is what a provider writes for a job',
      async (text) => {
        const claim = { text, resume_quotes: [text, text.slice(0, 400)], job_quote: text };
        answering(JSON.stringify({ bullets: [claim, { ...claim, text: text.slice(0, 500) }] }));
        const context = withPages([resume, text]);
        await tailoredBulletsHandler.withProvider({ jobDescription: text }, ai.provider, context);
      },
    ],
    ['is reviewed as a resume', (text) => resumeReviewHandler.offline({}, withPages([resume, text]))],
    [
      'is a provider’s review of a resume',
      (text) => {
        answering(text.split('\n').slice(0, REVIEW_LINES).join('\n'));
        return resumeReviewHandler.withProvider({}, ai.provider, withPages([resume, text]));
      },
    ],
    [
      'is asked of a document',
      (text) => chatWithPdfHandler.offline({ message: text.slice(0, 4_000) }, withPages([resume, text])),
    ],
    [
      'is a provider’s answer about a document',
      (text) => {
        answering(text);
        const input = { message: text.slice(0, 4_000) };
        return chatWithPdfHandler.withProvider(input, ai.provider, withPages([resume, text]));
      },
    ],
  ];

  // Every third pair of a use and a text, since all pairs take minutes: each use is tried, and each text.
  it.each(uses.map(([title, use], n) => [title, use, worst.filter((_, i) => (i + n) % 3 === 0)] as const))(
    '%s',
    async (_, use, texts) => {
      // Refusals are fine; what counts is that other work goes on.
      await use(prose(100)).catch(() => undefined);
      const blocked: Record<string, number> = {};
      for (const name of texts) {
        const work = () => use(hostileTexts[name]).catch(() => undefined);
        const { longest } = await measureAgain(work, MAX_BLOCKED_BY_HOSTILE_MS);
        if (longest >= MAX_BLOCKED_BY_HOSTILE_MS) blocked[name] = Math.round(longest);
      }
      expect(blocked).toEqual({});
    },
  );
});

function documentsOf(pages: string[]): Documents {
  const document = { id: '00000000-0000-4000-8000-000000000000', name: 'resume.pdf', pages };
  return {
    read: async () => document,
    chats: { open: async () => ({ document, messages: [] }) },
  } as unknown as Documents;
}

async function expectUnblocked(work: () => Promise<unknown>): Promise<void> {
  const { longest, turns } = await measureAgain(work, MAX_BLOCKED_MS);
  expect(longest).toBeLessThan(MAX_BLOCKED_MS);
  expect(turns).toBeGreaterThan(0);
}

/**
 * The first of three rounds in which nothing blocked for so long, or else the last: a step of the work blocks in each, a
 * garbage collection of Jest's heap in one. Only a round that needs it is compared with a processor of usual speed.
 */
async function measureAgain(work: () => Promise<unknown>, limit: number): ReturnType<typeof measure> {
  let round = await measure(work);
  for (let n = 0; n < 2 && round.longest >= limit; n += 1) round = await measureUsual(work);
  return round;
}

/** The longest CPU time between two turns of the event loop during `work`. */
async function measure(work: () => Promise<unknown>): Promise<{ longest: number; turns: number }> {
  let [longest, turns, last] = [0, 0, cpuTime()];
  const sample = () => {
    const now = cpuTime();
    longest = Math.max(longest, now - last);
    last = now;
    turns += 1;
  };
  const timer = setInterval(sample, 1);
  try {
    await work();
    const during = turns;
    sample();
    return { longest, turns: during };
  } finally {
    clearInterval(timer);
  }
}

/** The result of `measure` for a processor of usual speed: a busy one is slower, also in CPU time. */
async function measureUsual(work: () => Promise<unknown>): Promise<{ longest: number; turns: number }> {
  const before = slowness();
  const { longest, turns } = await measure(work);
  return { longest: longest / Math.max(before, slowness()), turns };
}

/** English sentences with many edits; a paragraph ends after so many words. */
function prose(count: number, paragraph = Infinity): string {
  const words =
    'In order to leverage our robust platform, it is important to note that Maria Lopez paid $4,200 on March 3, 2024 because she did not know that we will not refund it, and utilize the tools.'.split(
      ' ',
    );
  return Array.from({ length: count }, (_, i) => {
    const end = (i + 1) % paragraph === 0 ? '\n\n' : ' ';
    return words[i % words.length] + end;
  }).join('');
}
