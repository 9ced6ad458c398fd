import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A text that was not written for this project, out of an npm package that is installed here. */
export interface RealDocument {
  name: string;
  /** The file in `node_modules`. */
  file: string;
  licence: string;
}

export const realDocuments = {
  ccBy: {
    name: 'Creative Commons Attribution 4.0',
    file: 'caniuse-lite/LICENSE',
    licence: 'CC0-1.0, as Creative Commons dedicates its legal texts',
  },
  mpl: {
    name: 'Mozilla Public License 2.0',
    file: 'axe-core/LICENSE',
    licence: 'may be copied verbatim',
  },
  apache: { name: 'Apache License 2.0', file: 'typescript/LICENSE.txt', licence: 'may be copied verbatim' },
  helmet: { name: 'Helmet manual', file: 'helmet/README.md', licence: 'MIT' },
  yauzl: { name: 'yauzl manual', file: 'yauzl/README.md', licence: 'MIT' },
  piscina: { name: 'Piscina manual', file: 'piscina/README.md', licence: 'MIT' },
  lighthouse: { name: 'Lighthouse guide', file: 'lighthouse/CONTRIBUTING.md', licence: 'Apache-2.0' },
  smtp: { name: 'smtp-server security policy', file: 'smtp-server/SECURITY.md', licence: 'MIT-0' },
  tesseract: { name: 'Tesseract.js FAQ', file: 'tesseract.js/docs/faq.md', licence: 'Apache-2.0' },
  conduct: { name: 'Contributor Covenant', file: 'piscina/CODE_OF_CONDUCT.md', licence: 'CC-BY-4.0' },
  ofl: {
    name: 'SIL Open Font License',
    file: '@fontsource/noto-sans/LICENSE',
    licence: 'may be copied verbatim',
  },
} satisfies Record<string, RealDocument>;

const PAGE_CHARACTERS = 2_000;

const folder = dirname(dirname(createRequire(import.meta.url).resolve('typescript/package.json')));

/** The document's pages as they would be printed: prose without the marks of Markdown, and without code. */
export function pagesOf({ file }: RealDocument): string[] {
  const text = readFileSync(join(folder, file), 'utf8');
  const paragraphs = withoutMarks(text)
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*(?!\s*(?:[*-]|\d+\.)\s)/g, ' ').trim())
    .filter((paragraph) => /\p{L}{2}/u.test(paragraph));
  const pages: string[] = [];
  for (const paragraph of paragraphs) {
    const page = pages.at(-1);
    if (page !== undefined && page.length + paragraph.length < PAGE_CHARACTERS) {
      pages[pages.length - 1] = `${page}\n\n${paragraph}`;
    } else pages.push(paragraph);
  }
  return pages;
}

/** The fonts of a PDF without embedded ones have Latin letters alone. */
const withoutMarks = (text: string) =>
  text
    .replace(/\r/g, '')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<[^>\n]+>/g, '')
    .replace(/\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])/g, '$1')
    .replace(/^#+ /gm, '')
    .replace(/[`*]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, '')
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/—|–/g, '-')
    .replace(/[^\n\x20-\x7e]/g, ' ');
