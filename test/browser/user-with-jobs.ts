import type { Browser, BrowserContext } from 'playwright-core';
import { TAG_MAX } from '#libs/contract/creations.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { discMask, discOnBlue } from '../support/image-files.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import { until } from '../support/until.ts';
import { newAccount, type Body } from './account.ts';

/** A user's session, for any number of browser profiles, and their jobs. */
export interface UserWithJobs {
  session: Awaited<ReturnType<BrowserContext['storageState']>>;
  /** The id of a succeeded job of each tool. */
  jobs: Record<ToolName, string>;
  /** The public page of an image. */
  publicPage: string;
  /** A cut-out with two versions. */
  cutOut: string;
  /** A batch with one result and one missing picture. */
  batch: string;
  /** A notebook with a document and a question. */
  notebook: string;
  /** A webhook whose test event did not arrive. */
  webhook: string;
  /** A flow that has ended. */
  flow: string;
  /** The name of a PDF file with a conversation. */
  report: string;
  /** A resume and a picture to choose. */
  files: Record<'pdf' | 'png', { name: string; mimeType: string; buffer: Buffer }>;
}

/** A name that no line of a phone has room for. */
export const LONG_WORD = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';

interface FinishedJob {
  id: string;
  tool: string;
  flowId?: string;
  result: { creationId: string };
}

/** The names that a user gave. */
export interface Names {
  user: string;
  /** Of files, without extension. */
  resume: string;
  picture: string;
  report: string;
  batch: [string, string];
}

const shortNames: Names = {
  user: 'Ada Brandt',
  resume: 'mara-lindqvist',
  picture: 'sign',
  report: 'harbour-report',
  batch: ['harbour', 'quay'],
};

/** Names of 63 characters without a place for a line break: letters, emoji, from right to left. */
export const longNames: Names = {
  user: `Ada${'Brandt'.repeat(10)}`,
  resume: `${LONG_WORD}-2026`,
  picture: `IMG_${'20261125'.repeat(7)}_v2`,
  report: `${'تقريرالميناءالسنوي'.repeat(3)}النهائي_2`,
  batch: [`${'🦊🎨📷'.repeat(20)}end`, `מוצר${'קטלוגחורף'.repeat(6)}_2026`],
};

/** Signs up a user of the premium plan over HTTP and runs every tool, so that no screen is empty. */
export async function userWithJobs(
  browser: Browser,
  address: string,
  names = shortNames,
): Promise<UserWithJobs> {
  const context = await browser.newContext({ baseURL: address });
  const account = await newAccount(context, address, names.user);
  await account.post('/api/user/plan', { data: { plan: 'premium' } });
  const { flow } = await account.post<{ flow: { id: string } }>('/api/flows/article', {
    data: {
      prompt: `Salt marshes of ${LONG_WORD}`,
      steps: 'generate-blog-title,generate-article,generate-image',
    },
  });
  await until('the flow to end', async () => {
    const { flow: now } = await account.get<{ flow: { status: string } }>(`/api/flows/${flow.id}`);
    return now.status === 'ended';
  });
  for (const [path, body] of await toolRequests(names)) await account.post(`/api/ai/${path}`, body);
  const { jobs } = await account.get<{ jobs: FinishedJob[] }>('/api/jobs');
  const { creations } = await account.get<{ creations: { id: string }[] }>(
    '/api/user/get-published-creations',
  );
  const cutOut = jobs.find(({ tool }) => tool === 'remove-image-background')!.result.creationId;
  await account.post('/api/user/creations/tags', {
    data: { ids: [cutOut], tag: LONG_WORD.slice(0, TAG_MAX) },
  });
  const name = LONG_WORD.slice(0, 60);
  await account.post('/api/user/voices', { data: { name, manner: { tone: 'plain' } } });
  await account.post('/api/keys', { data: { name, scopes: ['images', 'read'], monthlyJobs: 100 } });
  const { webhook } = await account.post<{ webhook: { id: string } }>('/api/webhooks', {
    data: { url: `https://receiver.invalid/${LONG_WORD}`, events: ['job.succeeded', 'batch.finished'] },
  });
  await account.post(`/api/webhooks/${webhook.id}/test`, {});
  await account.post('/api/user/searches', { data: { name, filter: { favourite: true } } });
  const image = { name: 'edited.png', mimeType: 'image/png', buffer: await discMask(96, 72) };
  await account.post(`/api/user/creations/${cutOut}/versions`, {
    multipart: { label: 'Cut-out by hand', base: cutOut, cutOut: 'true', image },
  });
  const items = names.batch.map((name, index) => ({
    id: String(index),
    name: `${name}.png`,
    size: 1_000,
  }));
  const { batch } = await account.post<{ batch: { id: string } }>('/api/batches', {
    data: { tool: 'remove-image-background', items },
  });
  const picture = {
    name: 'first.png',
    mimeType: 'image/png',
    buffer: await discOnBlue(96, 72).png().toBuffer(),
  };
  await account.post(`/api/batches/${batch.id}/items/1`, { multipart: { image: picture } });
  const { notebook } = await account.post<{ notebook: { id: string } }>('/api/notebooks', {
    data: { name: `Harbours of ${LONG_WORD}` },
  });
  const inNotebook = { notebook_id: notebook.id };
  const text = '# Harbour rules\n\nShips over 120 metres need a pilot.';
  await account.post('/api/ai/add-notebook-document', {
    multipart: { ...inNotebook, text, name: LONG_WORD },
  });
  await account.post('/api/ai/ask-notebook', {
    data: { ...inNotebook, message: 'Which ships need a pilot?' },
  });
  const session = await context.storageState();
  await context.close();
  return {
    session,
    jobs: Object.fromEntries(
      jobs.filter(({ flowId }) => flowId === undefined).map(({ tool, id }) => [tool, id]),
    ) as UserWithJobs['jobs'],
    publicPage: `/c/${creations[0]!.id}`,
    cutOut,
    batch: batch.id,
    notebook: notebook.id,
    webhook: webhook.id,
    flow: flow.id,
    report: `${names.report}.pdf`,
    files: {
      pdf: { name: `${names.resume}.pdf`, mimeType: 'application/pdf', buffer: await makePdf(resumePages) },
      png: {
        name: `${names.picture}.png`,
        mimeType: 'image/png',
        buffer: await discOnBlue(480, 360).png().toBuffer(),
      },
    },
  };
}

/** Requests of every tool, in the order in which they are sent. */
async function toolRequests(names: Names): Promise<[ToolName, Body][]> {
  const [resume, report, photo, mask] = await Promise.all([
    makePdf(resumePages),
    makePdf(reportPages),
    discOnBlue(480, 360).png().toBuffer(),
    discMask(480, 360),
  ]);
  const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });
  const image = { name: `${names.picture}.png`, mimeType: 'image/png', buffer: photo };
  const newImage = (prompt: string, style: string, count = 1) =>
    ['generate-image', { data: { prompt, style, count, publish: true } }] as [ToolName, Body];
  return [
    ['generate-article', { data: { prompt: 'Growing tomatoes on a balcony', length: 800 } }],
    ['generate-blog-title', { data: { prompt: 'sourdough', category: 'Food' } }],
    [
      'humanize-text',
      {
        data: {
          text: 'It is important to note that the shop was opened in 1982. In conclusion, it does not utilize a warehouse.',
        },
      },
    ],
    [
      'rewrite-text',
      { data: { text: 'The shop are open since 1982, and it keep no warehouse.', action: 'fix' } },
    ],
    ['resume-review', { multipart: { resume: pdf(`${names.resume}.pdf`, resume) } }],
    [
      'calculate-ats-score',
      { multipart: { resume: pdf(`${names.resume}.pdf`, resume), jobDescription: JOB } },
    ],
    ['tailored-bullets', { multipart: { resume: pdf(`${names.resume}.pdf`, resume), jobDescription: JOB } }],
    ['cover-letter', { multipart: { resume: pdf(`${names.resume}.pdf`, resume), jobDescription: JOB } }],
    newImage('A lighthouse above a quiet harbour at dusk', 'Realistic', 2),
    newImage('Paper boats on a green river', 'Ghibli style'),
    newImage('A fox in the snow', 'Cartoon style'),
    ['remove-image-background', { multipart: { image } }],
    [
      'remove-image-object',
      { multipart: { image, mask: { name: 'mask.png', mimeType: 'image/png', buffer: mask } } },
    ],
    [
      'chat-with-pdf',
      {
        multipart: {
          pdf: pdf(`${names.report}.pdf`, report),
          message: 'How many ships came in 2024?',
          chatHistory: '[]',
        },
      },
    ],
  ];
}

const reportPages = [
  {
    heading: 'Harbour report',
    text: 'In 2023 the harbour of Vik took in 412 ships, most of them coasters with timber and stone.',
  },
  {
    heading: 'Traffic',
    text: 'In 2024 a total of 468 ships came in, 14 percent more than the year before. The busiest month was July.',
  },
  {
    heading: 'Outlook',
    text: 'The new quay opens in spring and takes ships of up to 140 metres. Dredging ends in May.',
  },
];

const JOB = `Senior Backend Engineer. You build booking services in Go and PostgreSQL, run them on Kubernetes in AWS with
Terraform, and talk to them over gRPC and Kafka. You have five years of experience, write tests first, and like to mentor.
Nice to have: Rust, GraphQL, Prometheus and Grafana.`;
