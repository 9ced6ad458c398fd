import sharp from 'sharp';
import { makePdf } from '../../test/support/pdf.ts';
import { resumePages } from '../../test/support/resumes.ts';

/** Creates files that users send. */
export interface Files {
  /** A small picture; each name gives different bytes. */
  image(name: string): File;
  resume(name: string): File;
  form(fields: Record<string, string | File>): FormData;
}

/** Bytes after the end of an image or a PDF only change its hash. */
const named = (bytes: Buffer, name: string, type: string) =>
  new File([new Uint8Array(bytes), `\n%${name}\n`], name, { type });

export async function makeFiles(): Promise<Files> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="72"><rect width="96" height="72" fill="#3a6fb5"/><circle cx="48" cy="36" r="18" fill="#cf3a22"/></svg>';
  const [image, pdf] = await Promise.all([sharp(Buffer.from(svg)).png().toBuffer(), makePdf(resumePages)]);
  return {
    image: (name) => named(image, name, 'image/png'),
    resume: (name) => named(pdf, name, 'application/pdf'),
    form: (fields) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return form;
    },
  };
}
