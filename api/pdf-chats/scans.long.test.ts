import { expect, it } from '@jest/globals';
import { form, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { describeWithModels } from '../../test/support/models.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { scanPdf } from '../../test/support/scans.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const ASK = '/api/ai/chat-with-pdf';
const WORDS = '/api/ai/pdf-chat-history/words?file_name=lease.pdf&page=';
const RENT = 'The rent is 840 pounds a month, due on the first day of each month.';
const TYPED =
  'This lease concerns the mill at Farrow Bridge, with its yard and the meadow behind it. '.repeat(8);

interface Answer {
  content: string;
  citations: { page: number; quote: string }[];
  words: { text: string; left: number; right: number; top: number; bottom: number }[];
  message: string;
  code: string;
  notice: string | null;
}

describeWithModels('scans over HTTP', () => {
  const product = useInProcessProduct({ MODELS_OFF: 'minilm' });
  const read = async (answer: Response) => (await answer.json()) as Answer;
  const send = async (user: SignedInUser, path: string, fields: Parameters<typeof form>[0]) =>
    user.call(path, { method: 'POST', body: form(fields) });

  it('are answered with the positions of the words, and read once', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const bytes = await scanPdf(await makePdf([RENT, `Notice\nEither party may end this lease by letter.`]));
    const pdf = { bytes, name: 'lease.pdf', type: 'application/pdf' };
    const first = await send(ada, ASK, { pdf, message: 'How much is the rent?' });
    expect(first.status).toBe(200);
    const { citations } = await read(first);
    expect(citations[0]).toEqual({ page: 1, quote: RENT });

    const { words } = await read(await ada.call(`${WORDS}1`));
    expect(words.map(({ text }) => text).join(' ')).toBe(RENT);
    expect(words[0]).toMatchObject({ text: 'The' });
    expect(words[0]?.left).toBeCloseTo(0.094, 2);
    expect((await read(await ada.call(`${WORDS}3`))).words).toEqual([]);
    expect((await ada.call(`${WORDS}x`)).status).toBe(400);
    const eve = await product.signUp('Eve', 'premium');
    expect((await eve.call(`${WORDS}1`)).status).toBe(404);

    await product.sql(
      `UPDATE pdf_documents SET pages = '["The rent is paid in eggs, said the miller.", ""]'`,
    );
    const again = await send(ada, ASK, { pdf, message: 'How much is the rent?' });
    expect((await read(again)).citations[0]?.quote).toContain('eggs');

    await product.sql(`UPDATE pdf_documents SET scan = jsonb_set(scan, '{hard}', '[1, 2]')`);
    const hard = await send(ada, ASK, { file_name: 'lease.pdf', message: 'How much is the rent?' });
    expect((await read(hard)).content).toMatch(
      /\n\n\*Page 1 was hard to read; check what is quoted from it\.\*$/,
    );
    expect((await ada.call('/api/ai/pdf-chat-history', { method: 'DELETE' })).status).toBe(200);
    expect(await product.sql('SELECT 1 FROM pdf_scanned_pages')).toEqual([]);
  });

  it('are named in a review, and are free if nothing can be read', async () => {
    const bob = await product.signUp('Bob');
    const resume = (bytes: Buffer) => ({ bytes, name: 'resume.pdf', type: 'application/pdf' });
    const scan = await scanPdf(await makePdf([`Jane Roe\njane@roe.example\nExperience\n${TYPED}`]));
    const reviewed = await read(await send(bob, '/api/ai/resume-review', { resume: resume(scan) }));
    expect(reviewed.notice).toMatch(/^This resume is a scan/);
    const before = await (await bob.call('/api/user/account')).json();
    const refused = await send(bob, '/api/ai/resume-review', {
      resume: resume(await makePdf([{ scan: true }])),
    });
    expect([refused.status, (await read(refused)).code]).toEqual([422, 'UNREADABLE_PDF']);
    expect(await (await bob.call('/api/user/account')).json()).toMatchObject({
      credits: (before as { credits: unknown }).credits,
    });
    const wrong = await send(bob, '/api/ai/resume-review', { resume: resume(scan), language: 'xx' });
    expect([wrong.status, (await read(wrong)).code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});
