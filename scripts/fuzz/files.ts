import { discMask, discOnBlue } from '../../test/support/image-files.ts';
import { brokenPdf, damage } from '../../test/support/pdf-damage.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { literal, rawPdf, streamOf } from '../../test/support/pdf-objects.ts';
import { resumePages } from '../../test/support/resumes.ts';
import { paragraph, wordFile } from '../../test/support/word.ts';

/** The PDF file within the PDF file. */
export const ATTACHMENT = 'annex.pdf';

/** Files to upload: valid files by kind, and broken files. */
export interface FuzzFiles {
  pdf: Buffer;
  resume: Buffer;
  word: Buffer;
  png: Buffer;
  jpeg: Buffer;
  mask: Buffer;
  broken: Buffer[];
}

export async function makeFiles(seed: number): Promise<FuzzFiles> {
  const [annex, resume, word, png, jpeg, mask] = await Promise.all([
    makePdf(['Granite is cut at low tide.']),
    makePdf(resumePages),
    wordFile(paragraph('Built a tool.')),
    discOnBlue(64, 48).png().toBuffer(),
    discOnBlue(64, 48).jpeg().toBuffer(),
    discMask(64, 48),
  ]);
  const pdf = rawPdf({
    pages: [{ lines: ['The lighthouse of Vellmar was built in 1874 from grey granite.'] }],
    catalog: '/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>',
    objects: [`<< /Type /Filespec /F ${literal(ATTACHMENT)} /EF << /F 5 0 R >> >>`, streamOf(annex)],
  });
  const whole = [pdf, resume, png, jpeg];
  const damaged = Array.from({ length: 12 }, (_, index) => damage(whole[index % 4]!, seed + index));
  const broken = [
    ...damaged,
    brokenPdf(),
    Buffer.alloc(0),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    Buffer.from('%PDF-1.7'),
    png.subarray(0, 33),
    Buffer.from('PK\x03\x04'),
    Buffer.alloc(200_000, 0xff),
  ];
  return { pdf, resume, word, png, jpeg, mask, broken };
}
