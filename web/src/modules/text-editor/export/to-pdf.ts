import { create } from 'fontkit';
import type { Nodes, Root } from 'mdast';
import type { Node } from 'pdfmake/interfaces';
import { hasTooManyFormulas } from '#libs/contract/markdown-math.js';
import { formulasIn } from '../document/formula';
import { hasRightToLeft } from './bidi-lines';
import { detectLanguage } from './detect-language';
import { correctShaping } from './font-shaping';
import { drawFormulas, type FormulaPicture } from './draw-formulas';
import { readOwnImages } from './own-images';
import { languageOf } from './language-of';
import { parseForExport, xmlText } from './parse-for-export';
import { drawPdf, type FontFiles } from './pdf-document';
import { BASE_FONT, filesOf, PdfFonts } from './pdf-fonts';
import type { TextWidth, UsedFaces } from './pdf-text-writer';
import { INK, PdfWriter } from './pdf-writer';

/** A PDF, or the characters for which the product has no font. */
export type PdfExport = { pdf: Blob } | { missing: string[] };

type LoadFile = (name: string) => Promise<Uint8Array>;

/**
 * Converts Markdown to a PDF with embedded fonts. They load by the characters of the text.
 * @param fontFile loads a font file by its name
 */
export async function toPdf(markdown: string, title: string, fontFile: LoadFile): Promise<PdfExport> {
  const root = parseForExport(xmlText(markdown));
  const fonts = new PdfFonts(async (file) => create(await fontFile(file)));
  const isTypeset = !hasTooManyFormulas(markdown);
  const formulas = isTypeset ? await drawFormulas(root) : new Map<Nodes, FormulaPicture>();
  if (isTypeset) await writeFormulas(root);
  const { sans, mono } = textsIn(root);
  await fonts.prepare(`${sans}0123456789.[x]`);
  await fonts.prepare(mono, 'mono');
  const pictures = await readOwnImages(root);
  const used: UsedFaces = new Map([[BASE_FONT, new Set([0])]]);
  let writer = new PdfWriter(root, pictures, formulas, fonts, used);
  let content = writer.content();
  if (fonts.missing.size > 0) return { missing: [...fonts.missing] };
  // The lines of such texts are broken by the widths of the faces that they use.
  if (writer.needsWidths || hasRightToLeft(sans + mono)) {
    writer = new PdfWriter(root, pictures, formulas, fonts, used, await readWidths(used, fontFile));
    content = writer.content();
  }
  const pdf = await drawPdf({
    title,
    // PDF/UA requires a language. Texts of a few words or of names are likely in the user's.
    language: (await detectLanguage(markdown)) ?? languageOf(markdown) ?? navigator.language,
    fonts: await readFaces(used, fontFile),
    formulas: writer.formulas,
    margins: [64, 64, 64, 72],
    defaultStyle: { font: BASE_FONT, fontSize: 11, lineHeight: 1.35, color: INK },
    content,
    structure: writer.structure,
    // Moves a heading to the next page if the text after it begins there.
    pageBreakBefore: ({ headlineLevel }, { getFollowingNodesOnPage, getNodesOnNextPage }) =>
      headlineLevel !== undefined && !hasText(getFollowingNodesOnPage()) && hasText(getNodesOnNextPage()),
    footer: (page, pages) =>
      pages === 1
        ? null
        : {
            text: `${page} / ${pages}`,
            style: FOOTER,
            alignment: 'center',
            fontSize: 9,
            color: '#5F594F',
            margin: [0, 24, 0, 0],
          },
  });
  return { pdf };
}

/** For pdfmake, page numbers are nodes of their page. */
const FOOTER = 'footer';
const hasText = (nodes: Node[]) => nodes.some(({ style }) => style !== FOOTER);

/** Replaces the TeX of all formulas by text that can be read. */
async function writeFormulas(root: Root): Promise<void> {
  if (formulasIn(root).length === 0) return;
  const { formulaText } = await import('./formula-text');
  const write = (node: Nodes) => {
    if (node.type === 'math' || node.type === 'inlineMath') node.value = formulaText(node.value);
    if ('children' in node) node.children.forEach(write);
  };
  write(root);
}

async function readWidths(used: UsedFaces, fontFile: LoadFile): Promise<TextWidth> {
  const faces = [...used].flatMap(([font, numbers]) => [...numbers].map((face) => ({ font, face })));
  const fonts = await Promise.all(
    faces.map(async ({ font, face }) => create(await fontFile(filesOf(font)[face]!))),
  );
  fonts.forEach(correctShaping);
  const widths = new Map<string, number>();
  return (text, font, face) => {
    const key = `${font} ${face} ${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    const metrics = fonts[faces.findIndex((one) => one.font === font && one.face === face)]!;
    const width = metrics.layout(text).advanceWidth / metrics.unitsPerEm;
    widths.set(key, width);
    return width;
  };
}

/** The files of the faces that the text has, by font. */
async function readFaces(used: UsedFaces, fontFile: LoadFile): Promise<FontFiles> {
  const fonts = [...used].map(async ([font, numbers]) => {
    const faces = [...numbers].map(
      async (face) => [FACE_NAMES[face], await fontFile(filesOf(font)[face]!)] as const,
    );
    return [font, Object.fromEntries(await Promise.all(faces))] as const;
  });
  return Object.fromEntries(await Promise.all(fonts));
}

/** pdfmake's names of the faces, in the order of the files. */
const FACE_NAMES = ['normal', 'bold', 'italics', 'bolditalics'] as const;

/** All characters of the text, for the fonts: those of code, and the others. Each text is on a line, since it is drawn apart. */
function textsIn(root: Root): { sans: string; mono: string } {
  const texts = { sans: '', mono: '' };
  const add = (node: Nodes) => {
    if (node.type === 'code' || node.type === 'inlineCode') texts.mono += `${node.value}\n`;
    else if ('value' in node) texts.sans += `${node.value}\n`;
    else if ('alt' in node) texts.sans += `${node.alt ?? ''}\n`;
    else if (node.type === 'footnoteReference') texts.sans += `[^${node.label}]\n`;
    if ('children' in node) node.children.forEach(add);
  };
  add(root);
  return { sans: `${texts.sans}Image`, mono: texts.mono };
}
