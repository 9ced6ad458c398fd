export type PdfObject = string | (string | Buffer)[];

export interface RawPage {
  /** Lines of text in Helvetica of 11 points, from 780 points down in steps of 15. */
  lines?: string[];
  /** Drawing commands after the text. */
  drawing?: string;
  /** Dictionaries of annotations without their brackets. */
  annotations?: string[];
  /** Further entries of the page, such as `/Rotate 90`. */
  entries?: string;
  /** Further resources, such as `/XObject << /Im 4 0 R >>`. */
  resources?: string;
}

export interface RawPdf {
  pages: RawPage[];
  /** Further entries of the catalogue, such as `/Lang (en-GB)`. */
  catalog?: string;
  /** Further objects. The first is `4 0 R`. */
  objects?: PdfObject[];
}

/** Number of the first of {@link RawPdf.objects}. */
const FIRST = 4;

/** A PDF with exactly these parts, also those that no library writes. Page 1 is the object after `objects`. */
export function rawPdf({ pages, catalog = '', objects = [] }: RawPdf): Buffer {
  const firstPage = FIRST + objects.length;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  return assemble([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...objects,
    ...pages.flatMap((page, index) => toObjects(page, firstPage + 2 * index + 1)),
  ]);
}

function toObjects(
  { lines = [], drawing = '', annotations = [], entries = '', resources = '' }: RawPage,
  contents: number,
): PdfObject[] {
  const text = lines.map((line, index) => `1 0 0 1 60 ${780 - 15 * index} Tm ${literal(line)} Tj`).join('\n');
  const commands = `${text && `BT /F1 11 Tf ${text} ET`}\n${drawing}`;
  const annots = annotations.map((annotation) => `<< /Type /Annot ${annotation} >>`).join('\n');
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} 0 R
      /Resources << /Font << /F1 3 0 R >> ${resources} >> ${entries.includes('/Annots') ? '' : `/Annots [${annots}]`} ${entries} >>`,
    streamOf(commands),
  ];
}

export const streamOf = (content: string | Buffer, entries = ''): PdfObject => [
  `<< /Length ${Buffer.byteLength(content, 'latin1')} ${entries} >>\nstream\n`,
  content,
  '\nendstream',
];

/** A string of a PDF. */
export const literal = (text: string) => `(${text.replace(/[\\()]/g, '\\$&')})`;

/** A PDF file of these objects, numbered from 1; the first is the catalogue. */
export function assemble(objects: PdfObject[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let length = parts[0]!.length;
  const add = (part: string | Buffer) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    parts.push(bytes);
    length += bytes.length;
  };
  const offsets = objects.map((object, index) => {
    const offset = length;
    add(`${index + 1} 0 obj\n`);
    for (const part of [object].flat()) add(part);
    add('\nendobj\n');
    return offset;
  });
  const start = length;
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) add(`${String(offset).padStart(10, '0')} 00000 n \n`);
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
}
