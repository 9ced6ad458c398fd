import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { resumePages } from '../../../test/support/resumes.ts';
import { documents } from '../pdf/documents.ts';

export interface QualityPage {
  name: string;
  font: 'Times-Roman' | 'Helvetica' | 'Courier';
  size: number;
  text: string;
}

const [handbook] = documents;

/** The text of a real contract: the Apache License 2.0, from a package. */
const licence = readFileSync(createRequire(import.meta.url).resolve('tesseract.js-core/LICENSE'), 'utf8')
  .replace(/[ \t]+/g, ' ')
  .replace(/\n /g, '\n')
  .replace(/([^\n])\n(?!\n)/g, '$1 ')
  .replace(/\n{2,}/g, '\n\n')
  .trim();

/** Whole paragraphs of the contract, starting at the given words. */
function clauses(from: string, characters: number): string {
  const rest = licence.slice(licence.indexOf(from));
  return rest.slice(0, rest.lastIndexOf('\n\n', characters)).trim();
}

/** Pages of a contract, a resume and a handbook, in three fonts; every second page is for tuning. */
export const pages: QualityPage[] = [
  { name: 'contract 1', font: 'Times-Roman', size: 11, text: clauses('"License" shall mean', 2_400) },
  { name: 'contract 2', font: 'Helvetica', size: 10, text: clauses('2. Grant of Copyright', 2_600) },
  { name: 'contract 3', font: 'Courier', size: 10, text: clauses('4. Redistribution', 2_000) },
  { name: 'contract 4', font: 'Times-Roman', size: 9, text: clauses('7. Disclaimer', 2_600) },
  { name: 'resume', font: 'Helvetica', size: 11, text: resumePages.join('\n') },
  ...handbook.pages.slice(0, 3).map(({ heading, text }, index) => ({
    name: `handbook ${index + 1}`,
    font: index === 1 ? ('Helvetica' as const) : ('Times-Roman' as const),
    size: 12,
    text: `${heading}\n\n${text}`,
  })),
];

export async function toPdf({ font, size, text }: QualityPage): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4', margin: 64, info: { CreationDate: new Date(0) } });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.once('end', resolve));
  document.font(font).fontSize(size).text(text, { lineGap: 2 });
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
