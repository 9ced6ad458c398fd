import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from '#libs/documents/formats/read-file.js';
import type { ToolOutput } from '#libs/tools/catalogue.js';
import { startFakeProvider, type FakeProvider } from '../provider/server.ts';
import {
  form,
  json,
  startInProcessProduct,
  type SignedInUser,
  type InProcessProduct,
} from '../support/in-process-product.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { paragraph, wordFile } from '../support/word.ts';

allowTimeForPrograms();

const jobDescription = 'Must have: Go, Kubernetes, Ansible. Nice to have: Kafka.';
const extraction = JSON.stringify({
  skills: ['Go', 'Kubernetes', 'Ansible'].map((skill) => ({
    skill,
    importance: 'required',
    job_quote: skill,
    match: skill !== 'Ansible',
    resume_quote: skill === 'Ansible' ? null : skill,
    feedback: '',
  })),
  suggestions: [],
});
const review = `# Resume review
## Overall
The resume shows work with Go and Kubernetes at Freightline Systems, in the order in which a reader looks for it, with one strong result.
## Next steps
- Begin each line with what you did, and add how many people it helped: [number].`;

type AtsAnswer = ToolOutput<'calculate-ats-score'> & { success: boolean; message: string };

let pdf: Buffer;
let fake: FakeProvider;
beforeAll(async () => {
  // The standard fonts of the test's PDFs write bullets as they are.
  pdf = await makePdf(resumePages);
  fake = await startFakeProvider();
});
afterAll(() => fake.close());

const resume = (bytes: Uint8Array = pdf) => ({ bytes, name: 'mara.pdf', type: 'application/pdf' });

describe.each(['offline', 'openai'] as const)('resume tools over HTTP, %s', (engine) => {
  let product: InProcessProduct;
  let mara: SignedInUser;
  beforeAll(async () => {
    product = await startInProcessProduct({
      ...(engine === 'openai' && { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: fake.url }),
    });
    mara = await product.signUp('Mara');
  });
  afterAll(() => product?.stop());

  const post = (tool: string, fields: Parameters<typeof form>[0], headers = {}) =>
    mara.call(`/api/ai/${tool}`, { body: form(fields), headers });
  const remaining = async () => (await json(await mara.call('/api/user/account'))).credits.remaining;

  it('reviews a resume, with and without Prefer: respond-async', async () => {
    fake.script({ text: review });
    const answer = await post('resume-review', { resume: resume() });
    expect(answer.status).toBe(200);
    const body = await json(answer);
    expect(body).toMatchObject({ success: true, message: 'Resume reviewed successfully', engine });
    expect(body.content).toContain(engine === 'offline' ? '# Resume checklist' : 'Freightline Systems');

    fake.script({ text: review });
    const started = await post('resume-review', { resume: resume() }, { Prefer: 'respond-async' });
    expect(started.status).toBe(202);
    const { job } = await json(started);
    expect(job.title).toBe('Resume review of mara.pdf');
    await expect(ended(mara, job.id)).resolves.toMatchObject({
      status: 'succeeded',
      result: { content: body.content },
    });
  });

  it('scores a resume the same way twice, with its evidence', async () => {
    fake.script({ text: extraction });
    const scores: AtsAnswer[] = [];
    for (let time = 0; time < 2; time += 1) {
      const answer = await post('calculate-ats-score', { resume: resume(), jobDescription });
      expect(answer.status).toBe(200);
      scores.push((await answer.json()) as AtsAnswer);
    }
    const [first, second] = scores as [AtsAnswer, AtsAnswer];
    expect(first).toMatchObject({ success: true, message: 'ATS Score Calculated', engine });
    expect(first.content.breakdown.Kubernetes).toMatchObject({ match: true, resume: { page: 1 } });
    expect(first.content.breakdown.Ansible).toMatchObject({ match: false, resume: null });
    expect(second.content).toEqual(first.content);
  });

  it('shows both on the dashboard', async () => {
    const { creations } = await json(await mara.call('/api/user/get-user-creations'));
    expect(creations.map(({ type }: { type: string }) => type).sort()).toEqual([
      'ats-score',
      'ats-score',
      'resume-review',
      'resume-review',
    ]);
    expect(creations[0]?.content).toMatch(/^# ATS score: \d+ \/ 100/);
  });

  it('reads a resume in Word as one in PDF, and refuses other files, uncharged', async () => {
    const bytes = await wordFile(
      resumePages
        .join('\n')
        .split('\n')
        .map((line) => paragraph(line))
        .join(''),
    );
    const word = (content: Buffer) => ({
      bytes: content,
      name: 'mara.docx',
      type: 'application/octet-stream',
    });
    const scoreOf = async (file: ReturnType<typeof resume>) =>
      (await post('calculate-ats-score', { resume: file, jobDescription })).json() as Promise<AtsAnswer>;
    const inPdf = await scoreOf(resume());
    fake.script({ text: extraction });
    const inWord = await scoreOf(word(bytes));
    expect(inWord).toMatchObject({ success: true, content: { score: inPdf.content.score } });
    const before = await remaining();
    const macros = await wordFile(paragraph('Text.'), { files: { 'word/vbaProject.bin': 'x' } });
    const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    for (const [content, status, code] of [
      [macros, 422, 'UNREADABLE_DOCUMENT'],
      [old, 415, 'UNSUPPORTED_FILE'],
      [Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le')]), 422, 'UNREADABLE_DOCUMENT'],
      [Buffer.from('PK\x03\x04 broken'), 422, 'UNREADABLE_DOCUMENT'],
    ] as const) {
      const answer = await post('resume-review', { resume: word(content) });
      expect([answer.status, (await json(answer)).code]).toEqual([status, code]);
    }
    expect(await remaining()).toBe(before);
  });

  it('puts tailored bullets into a resume in Word, free of charge, and stores nothing', async () => {
    const before = await remaining();
    const stored = product.stored().length;
    const word = await wordFile(paragraph('Mara Lindqvist') + paragraph('Built a tool.'));
    const lines = [
      { source: 'Built a tool', text: 'Built two tools' },
      { source: 'Led a team', text: 'Led a big team' },
    ];
    const send = (file: Buffer, list: string) =>
      mara.call('/api/ai/tailored-bullets/resume', {
        body: form({ resume: { bytes: file, name: 'mara.docx', type: 'application/pdf' }, lines: list }),
      });
    const answer = await send(word, JSON.stringify(lines));
    const { file, ...rest } = (await answer.json()) as { file: string };
    expect([answer.status, rest]).toEqual([
      200,
      {
        success: true,
        replaced: [{ source: 'Built a tool.', text: 'Built two tools.' }],
        missing: ['Led a team'],
      },
    ]);
    const read = await readFile(Buffer.from(file, 'base64'), false, AbortSignal.timeout(60_000));
    expect(read.pages.join('\n')).toMatch(/Mara Lindqvist\s+Built two tools\./);
    const macros = await wordFile(paragraph('Text.'), { files: { 'word/vbaProject.bin': 'x' } });
    for (const [bytes, list, status, code] of [
      [pdf, JSON.stringify(lines), 415, 'UNSUPPORTED_FILE'],
      [macros, JSON.stringify(lines), 422, 'UNREADABLE_DOCUMENT'],
      [word, 'no list', 400, 'VALIDATION_FAILED'],
      [word, '[]', 400, 'VALIDATION_FAILED'],
      [word, JSON.stringify([{ source: 'Built', text: ' ' }]), 400, 'VALIDATION_FAILED'],
    ] as const) {
      const refused = await send(bytes, list);
      expect([refused.status, (await json(refused)).code]).toEqual([status, code]);
    }
    const stranger = await fetch(`${product.origin}/api/ai/tailored-bullets/resume`, { method: 'POST' });
    expect(stranger.status).toBe(401);
    expect([await remaining(), product.stored().length, product.spooled()]).toEqual([before, stored, []]);
  });

  it('refunds the credit for a PDF with too little text', async () => {
    const before = await remaining();
    const answer = await post('resume-review', {
      resume: resume(await makePdf(['Mara Lindqvist, engineer of many things'])),
    });
    expect(answer.status).toBe(422);
    expect(await json(answer)).toMatchObject({
      success: false,
      code: 'UNREADABLE_PDF',
      message: expect.stringContaining('only 6 words of text'),
    });
    expect(await remaining()).toBe(before);
  });

  it('refuses a request without its fields, uncharged', async () => {
    const before = await remaining();
    const both = 'Please upload a resume and enter a job description';
    for (const [tool, fields, message] of [
      ['resume-review', {}, 'Upload your resume as a PDF or Word (.docx) file.'],
      ['calculate-ats-score', { resume: resume(), jobDescription: '  ' }, both],
      ['calculate-ats-score', { jobDescription }, both],
      [
        'calculate-ats-score',
        { resume: resume(), jobDescription: 'x'.repeat(20_001) },
        'Keep the job description within 20,000 characters.',
      ],
    ] as const) {
      const answer = await post(tool, fields);
      expect([answer.status, (await json(answer)).message]).toEqual([400, message]);
    }
    expect(await remaining()).toBe(before);
  });

  if (engine === 'openai') {
    it('fails with a refund when the answer cannot be read', async () => {
      const before = await remaining();
      fake.script({ text: 'Looks good.' }, { text: 'Really good.' });
      const answer = await post('calculate-ats-score', { resume: resume(), jobDescription: 'Helm and Git' });
      expect(answer.status).toBe(502);
      expect((await json(answer)).code).toBe('PROVIDER_FAILED');
      expect(await remaining()).toBe(before);
    });
  }
});

const ended = (client: SignedInUser, id: string) =>
  until('the job to end', async () => {
    const { job } = await json(await client.call(`/api/jobs/${id}`));
    return !['queued', 'running'].includes(job.status) && job;
  });
