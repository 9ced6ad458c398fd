import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Creation } from '#libs/contract/creations.js';
import type { Job } from '#libs/contract/jobs.js';
import type { AtsResult } from '#libs/tools/calculate-ats-score/contract.js';
import { toolNames, type ToolName } from '#libs/tools/catalogue.js';
import type { Answer, User } from '../platform/running-product.ts';
import { form } from '../support/in-process-product.ts';
import { discMask, discOnBlue } from '../support/image-files.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { servicePairs, startProductWithServices, type ProductWithServices } from './product-with-services.ts';

allowTimeForPrograms();

/** The body of a tool's request: JSON, or the parts of a form. */
type Request = { json: object } | { form: Parameters<typeof form>[0] };

/** The fields of all tools' results together. */
interface Fields {
  summary: { text: string };
  documentId: string;
  content: string;
  engine: string;
  creationId: string;
  thumbnail: string;
  width: number;
  height: number;
  chatHistory: { role: string; content: string }[];
}

/** A request of a tool, and what is expected of its result. */
interface ToolCase {
  plan: 'free' | 'premium';
  /** In the words that the original web client sends. */
  request: (notebook: Notebook) => Request;
  /** The request that succeeds without an AI service, where it is another one. */
  offlineRequest?: () => Request;
  /** True if rules make the result although there is an AI service. */
  isByRules?: true;
  /** The message of the answer. */
  message: string;
  offlineMessage?: string;
  /** The type of the stored creation; null for a conversation. */
  creationType: string | null;
  /** Checks the result's fields. */
  check?: (body: Fields) => void;
}

/** Ids of a notebook of the user, and of its document. */
interface Notebook {
  id: string;
  documentId: string;
}

type NamedCase = ToolCase & { tool: ToolName };

const JOB = 'We look for an engineer with Kubernetes, Terraform and Ansible. Kafka is a plus.';
const STIFF =
  'It is important to note that Ada Lovelace wrote 3 letters in 1843. Furthermore, she utilized a plethora of tables, see https://example.com/notes.';

let resume: Buffer;
let report: Buffer;
let photo: Buffer;
let mask: Buffer;
beforeAll(async () => {
  resume = await makePdf(resumePages);
  report = await makePdf([
    'The lighthouse of Vellmar was built in 1874 from grey granite.',
    'Its lamp has a range of nineteen nautical miles.',
  ]);
  // The model looks once at a subject that fills the picture.
  photo = await discOnBlue(120, 120, 0.46).jpeg().toBuffer();
  mask = await discMask(120, 120);
});

const pdf = (bytes: Buffer, name: string) => ({ bytes, name, type: 'application/pdf' });
const image = () => ({ bytes: photo, name: 'photo.jpg', type: 'image/jpeg' });

/** A tool without a case does not compile. */
const cases: Record<ToolName, ToolCase> = {
  'generate-article': {
    plan: 'free',
    request: () => ({
      json: { prompt: 'Write an article about tidal power in Short (500-800 words)', length: 800 },
    }),
    message: 'Article Generated',
    offlineMessage: 'Outline made',
    creationType: 'article',
    check: ({ content, engine }) => {
      expect(content).toMatch(/tidal power/i);
      if (engine === 'offline') expect(content).not.toMatch(/write an article|500-800/i);
    },
  },
  'generate-blog-title': {
    plan: 'free',
    request: () => ({
      json: { prompt: 'Generate a blog title for the keyword house plants in the category Lifestyle' },
    }),
    message: 'Title Generated',
    creationType: 'blog-title',
    check: ({ content, engine }) => {
      expect(content.trim().split('\n').length).toBeGreaterThanOrEqual(10);
      expect(content.split(/\s+/).length).toBeLessThanOrEqual(500);
      expect(content).toMatch(/house plants/i);
      if (engine === 'offline') expect(content).not.toMatch(/keyword|the category/i);
    },
  },
  'humanize-text': {
    plan: 'free',
    request: () => ({ json: { text: STIFF } }),
    message: 'Text humanized successfully',
    creationType: 'humanized-text',
    check: ({ content }) => {
      for (const fact of ['Ada Lovelace', '3', '1843', 'https://example.com/notes'])
        expect(content).toContain(fact);
    },
  },
  'rewrite-text': {
    plan: 'free',
    request: () => ({ json: { text: STIFF, action: 'simpler' } }),
    message: 'Text rewritten',
    creationType: 'rewritten-text',
    check: ({ content }) => {
      for (const fact of ['Ada Lovelace', '3', '1843', 'https://example.com/notes'])
        expect(content).toContain(fact);
    },
  },
  'resume-review': {
    plan: 'free',
    request: () => ({ form: { resume: pdf(resume, 'mara.pdf') } }),
    message: 'Resume reviewed successfully',
    creationType: 'resume-review',
    check: ({ content }) => expect(content).toMatch(/^# /),
  },
  'calculate-ats-score': {
    plan: 'free',
    request: () => ({ form: { resume: pdf(resume, 'mara.pdf'), jobDescription: JOB } }),
    message: 'ATS Score Calculated',
    creationType: 'ats-score',
    check: ({ content }) => {
      const result = content as unknown as AtsResult;
      expect(result).toMatchObject({
        score: expect.any(Number),
        feedback: expect.any(String),
        suggestions: expect.any(Array),
      });
      expect(result.breakdown).toMatchObject({ Kubernetes: { match: true }, Ansible: { match: false } });
    },
  },
  'tailored-bullets': {
    plan: 'free',
    request: () => ({ form: { resume: pdf(resume, 'mara.pdf'), jobDescription: JOB } }),
    message: 'Bullets tailored successfully',
    creationType: 'tailored-bullets',
    check: ({ content }) => {
      expect(content).toMatch(/^- .*Kubernetes.*\n {2}- \*Resume, page 1:\*/m);
      expect(content).toContain('**Ansible**');
      expect(content).not.toMatch(/^- .*Ansible.*\n {2}- \*Resume/m);
    },
  },
  'cover-letter': {
    plan: 'free',
    request: () => ({ form: { resume: pdf(resume, 'mara.pdf'), jobDescription: JOB } }),
    message: 'Cover letter written',
    creationType: 'cover-letter',
    check: ({ content }) => {
      expect(content).toMatch(/Dear hiring team,[^]*Kubernetes[^]*Kind regards,\\\nMara Lindqvist/);
      expect(content).toMatch(/## What this rests on[^]*\*Resume, page 1:\*/);
    },
  },
  'generate-image': {
    plan: 'premium',
    request: () => ({
      json: { prompt: 'Generate an image of a fox in the snow in the style Anime style', publish: false },
    }),
    message: 'Image Generated',
    creationType: 'image',
  },
  'remove-image-background': {
    plan: 'premium',
    request: () => ({ form: { image: image() } }),
    message: 'Background removed successfully',
    creationType: 'image',
  },
  'remove-image-object': {
    plan: 'premium',
    request: () => ({ form: { image: image(), object: 'ball' } }),
    // It cannot find an object by its name.
    offlineRequest: () => ({
      form: { image: image(), object: 'ball', mask: { bytes: mask, name: 'mask.png', type: 'image/png' } },
    }),
    message: 'Object removed successfully',
    creationType: 'image',
  },
  'chat-with-pdf': {
    plan: 'premium',
    request: () => ({
      form: { pdf: pdf(report, 'report.pdf'), message: 'What is the range of the lamp?', chatHistory: '[]' },
    }),
    message: 'Question answered',
    creationType: null,
    check: ({ chatHistory }) => {
      expect(chatHistory.at(-2)).toMatchObject({ role: 'user', content: 'What is the range of the lamp?' });
      expect(chatHistory.at(-1)).toMatchObject({
        role: 'assistant',
        content: expect.stringMatching(/\[p\. \d\]/),
      });
    },
  },
  'add-notebook-document': {
    plan: 'premium',
    request: ({ id }) => ({ form: { document: pdf(report, 'report.pdf'), notebook_id: id } }),
    message: 'Document added',
    creationType: null,
    isByRules: true,
  },
  'ask-notebook': {
    plan: 'premium',
    request: ({ id }) => ({ json: { notebook_id: id, message: 'What is the range of the lamp?' } }),
    message: 'Question answered',
    creationType: null,
    check: ({ content }) => expect(content).toMatch(/\[1, p\. 1\]/),
  },
  'summarise-document': {
    plan: 'premium',
    request: ({ documentId }) => ({ json: { document_id: documentId } }),
    message: 'Document summarised',
    creationType: null,
    check: ({ summary }) => expect(summary.text).toBeTruthy(),
  },
  'notes-to-text': {
    plan: 'premium',
    request: ({ id }) => ({ json: { notebook_id: id } }),
    message: 'Text made',
    creationType: 'notes',
    isByRules: true,
    check: ({ content }) => expect(content).toContain('[^1]: `Lamp`, p. 1'),
  },
};
const namedCases: NamedCase[] = toolNames.map((tool) => ({ tool, ...cases[tool] }));

/** Adds a notebook with one document and one note. */
async function addNotebook(user: User): Promise<Notebook> {
  const made = await user.call('/api/notebooks', { json: { name: 'Lighthouses' } });
  const notebook = made.body.notebook as { id: string };
  const text = 'The lamp has a range of nineteen nautical miles.';
  const added = await user.call('/api/ai/add-notebook-document', {
    body: form({ notebook_id: notebook.id, text, name: 'Lamp' }),
  });
  await user.call(`/api/notebooks/${notebook.id}/notes`, { json: { content: 'Nineteen miles [1, p. 1].' } });
  return { id: notebook.id, documentId: added.body.documentId as string };
}

/** The engine on this server does not depend on queue and store: it runs on one pair, the provider on all. */
const combinations = [
  { ...servicePairs[0]!, engine: 'offline' as const },
  ...servicePairs.map((services) => ({ ...services, engine: 'openai' as const })),
];

describe.each(combinations)(
  'Every tool: queue on $queue, objects on $store, engine $engine',
  ({ engine, ...services }) => {
    let opened: ProductWithServices;
    const users = {} as Record<ToolCase['plan'], User>;
    let notebook: Notebook;
    beforeAll(async () => {
      opened = await startProductWithServices(engine, services);
      users.free = await opened.product.user();
      users.premium = await opened.product.user({ plan: 'premium' });
      notebook = await addNotebook(users.premium);
    });
    afterAll(() => opened?.close());

    const send = (
      { tool, plan }: NamedCase,
      request: Request,
      headers?: Record<string, string>,
    ): Promise<Answer> =>
      users[plan].call(`/api/ai/${tool}`, {
        headers,
        ...('json' in request ? { json: request.json } : { body: form(request.form) }),
      });
    const requestOf = ({ request, offlineRequest }: ToolCase): Request =>
      engine === 'offline' && offlineRequest ? offlineRequest() : request(notebook);
    const get = async (user: User, path: string) => (await user.call(path)).body;

    /** Checks a result's fields, its job and its creation. */
    async function check(toolCase: NamedCase, fields: Fields, jobId: string, job: Job) {
      expect(fields.engine).toBe(toolCase.isByRules ? 'offline' : engine);
      expect(fields.content || fields.documentId).toBeTruthy();
      toolCase.check?.(fields);
      expect(job).toMatchObject({
        id: jobId,
        tool: toolCase.tool,
        status: 'succeeded',
        error: null,
        result: fields,
      });
      expect(job.progress.percent).toBe(100);
      expect(job.credits).toBe(toolCase.plan === 'free' ? 1 : 0);
      const { creations } = await get(users[toolCase.plan], '/api/user/get-user-creations');
      const mine = creations.filter((creation) => creation.jobId === jobId);
      if (toolCase.creationType === null) return expect(mine).toEqual([]);
      expect(mine).toHaveLength(1);
      const creation = mine[0]!;
      expect(creation).toMatchObject({
        id: fields.creationId,
        type: toolCase.creationType,
        engine: fields.engine,
        published: false,
        likes: [],
        prompt: expect.stringMatching(/\S/),
      });
      expect(Date.parse(creation.created_at)).toBeLessThanOrEqual(Date.now());
      if (toolCase.creationType === 'image') await checkImage(toolCase, fields, creation);
      else if (toolCase.tool !== 'calculate-ats-score') expect(creation.content).toBe(fields.content);
    }

    async function checkImage(
      { tool }: NamedCase,
      { content, thumbnail, width, height }: Fields,
      creation: Creation,
    ) {
      expect(creation).toMatchObject({ content, thumbnail });
      for (const [url, format] of [
        [content, tool === 'generate-image' ? 'jpeg' : 'png'],
        [thumbnail, 'webp'],
      ] as const) {
        const answer = await opened.product.get(url);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toBe(`image/${format}`);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        const found = await sharp(await answer.arrayBuffer()).metadata();
        expect(found.format).toBe(format);
        if (url === content) expect(found).toMatchObject({ width, height });
        if (tool === 'remove-image-background') expect(found.hasAlpha).toBe(true);
      }
    }

    /** Who waits for an answer does not depend on the engine, and the pretrained models take long. */
    const timesOfEach = engine === 'offline' ? 1 : 2;
    const used = async (toolCase: NamedCase) => (await users[toolCase.plan].account()).credits;

    it.each(namedCases)('POST /api/ai/$tool, waiting', async (toolCase) => {
      const before = await used(toolCase);
      const { status, headers, body } = await send(toolCase, requestOf(toolCase));
      expect(status).toBe(200);
      const { success, message, jobId, ...fields } = body;
      const expected = fields.engine === 'offline' ? toolCase.offlineMessage : undefined;
      expect([success, message]).toEqual([true, expected ?? toolCase.message]);
      expect(headers.get('location')).toBe(`/api/jobs/${jobId}`);
      await check(toolCase, fields as unknown as Fields, jobId, await users[toolCase.plan].job(jobId));
      expect((await used(toolCase)).used - before.used).toBe(toolCase.plan === 'free' ? 1 : 0);
    });

    if (engine === 'offline') {
      it('refuses to remove an object by its name alone, with the way out and without a charge', async () => {
        const removal = namedCases.find(({ tool }) => tool === 'remove-image-object')!;
        const answer = await send(removal, removal.request(notebook));
        expect(answer).toMatchObject({
          status: 422,
          body: { success: false, code: 'ENGINE_CANNOT', message: expect.stringMatching(/paint over/i) },
        });
        const job = await users.premium.job(answer.body.details.jobId);
        expect(job).toMatchObject({ status: 'failed', credits: 0 });
      });

      it('draws the same for a style within the prompt as for one beside it', async () => {
        const bytesOf = async (json: object) => {
          const { body } = await users.premium.call('/api/ai/generate-image', { json });
          return Buffer.from(await (await opened.product.get(body.content)).arrayBuffer());
        };
        const beside = await bytesOf({ prompt: 'a fox in the snow', style: 'Anime style', seed: 7 });
        const within = await bytesOf({
          prompt: 'Generate an image of a fox in the snow in the style Anime style',
          publish: false,
          seed: 7,
        });
        expect(within.equals(beside)).toBe(true);
      });
    } else {
      it.each(namedCases)('POST /api/ai/$tool, with Prefer: respond-async', async (toolCase) => {
        const before = await used(toolCase);
        const { status, headers, body } = await send(toolCase, requestOf(toolCase), {
          Prefer: 'respond-async',
        });
        expect([status, body.message]).toEqual([202, undefined]);
        expect(headers.get('preference-applied')).toBe('respond-async');
        expect(headers.get('location')).toBe(`/api/jobs/${body.job.id}`);
        const job = await users[toolCase.plan].ended(body.job.id);
        expect(job.error).toBeNull();
        await check(toolCase, job.result as unknown as Fields, body.job.id, job);
        expect((await used(toolCase)).used - before.used).toBe(toolCase.plan === 'free' ? 1 : 0);
      });

      it('sends the style to the provider within a prompt', () => {
        const prompts = opened.product.provider.requests.flatMap(({ image }) => image?.prompt ?? []);
        expect(prompts.some((prompt) => /fox in the snow/.test(prompt) && /anime/i.test(prompt))).toBe(true);
      });
    }

    it('GET /api/ai/pdf-chat-history, in both forms', async () => {
      const all = await get(users.premium, '/api/ai/pdf-chat-history');
      expect(all).toMatchObject({
        success: true,
        message: expect.any(String),
        files: ['report.pdf'],
        fileName: 'report.pdf',
      });
      expect(all.chatHistory).toHaveLength(2 * timesOfEach);
      const one = await get(
        users.premium,
        `/api/ai/pdf-chat-history?file_name=${encodeURIComponent('report.pdf')}`,
      );
      expect(one).toMatchObject({ success: true, chatHistory: all.chatHistory });
      expect(await get(users.free, '/api/ai/pdf-chat-history')).toMatchObject({
        success: true,
        files: [],
        chatHistory: [],
      });
    });

    it('GET /api/user/get-published-creations and POST /api/user/toggle-like-creation', async () => {
      const made = (
        await users.premium.call('/api/ai/generate-image', {
          json: { prompt: 'A quiet harbour', style: 'Anime style', publish: true },
        })
      ).body;
      const feed = async (user: User) => get(user, '/api/user/get-published-creations');
      const published = (await feed(users.free)).creations;
      expect(published).toHaveLength(1);
      const shown = published[0]!;
      expect(shown).toMatchObject({
        id: made.creationId,
        type: 'image',
        likes: [],
        prompt: expect.stringContaining('A quiet harbour'),
        created_at: expect.any(String),
      });
      const seen = await opened.product.get(shown.content);
      expect(seen.headers.get('content-type')).toBe('image/jpeg');

      const like = () => users.free.call('/api/user/toggle-like-creation', { json: { id: shown.id } });
      expect(await like()).toMatchObject({
        status: 200,
        body: { success: true, message: expect.any(String), liked: true },
      });
      expect((await feed(users.premium)).creations[0]?.likes).toEqual([users.free.id]);
      expect(await like()).toMatchObject({ body: { success: true, liked: false } });
      expect((await feed(users.premium)).creations[0]?.likes).toEqual([]);
    });

    it('GET /api/user/get-user-creations has each result once, the latest first', async () => {
      const { success, creations } = await get(users.free, '/api/user/get-user-creations');
      expect(success).toBe(true);
      expect(creations).toHaveLength(
        timesOfEach * namedCases.filter(({ plan, creationType }) => plan === 'free' && creationType).length,
      );
      const times = creations.map(({ created_at }: { created_at: string }) => created_at);
      expect(times).toEqual([...times].sort().reverse());
    });
  },
);
