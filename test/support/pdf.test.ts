import { describe, expect, it } from '@jest/globals';
import { damage, pdfBomb } from './pdf-damage.js';
import { makePdf } from './pdf.js';

describe('PDFs for tests', () => {
  it('have a page for each entry', async () => {
    const pdf = await makePdf(['One', { heading: 'Two', text: '第二頁' }, { scan: true }, '']);
    expect(pdf.toString('latin1')).toMatch(/^%PDF-1/);
    expect(pdf.toString('latin1')).toContain('/Count 4');
  });

  it('have no additional page', async () => {
    await expect(makePdf(['short', 'long '.repeat(9_000)])).rejects.toThrow(
      'The text of page 2 does not fit.',
    );
  });

  it('can be damaged, each time the same', async () => {
    const pdf = await makePdf(['One']);
    expect(damage(pdf, 7)).toEqual(damage(pdf, 7));
    expect(damage(pdf, 7)).not.toEqual(pdf);
  });

  it('can be decompression bombs that are small enough to be uploaded', () => {
    expect(pdfBomb(150).length).toBeLessThan(1024 * 1024);
  });
});
