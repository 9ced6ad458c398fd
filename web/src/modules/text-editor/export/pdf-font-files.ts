import { decompressWoff } from './decompress-woff';

const urls = import.meta.glob<string>(
  [
    '/../node_modules/@fontsource/noto-sans/files/noto-sans-*-{400,700}-{normal,italic}.woff',
    '/../node_modules/@fontsource/noto-sans-mono/files/noto-sans-mono-*-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-{400,700}-normal.woff',
    '/../node_modules/@fontsource/amiri/files/amiri-arabic-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-{armenian,bengali,ethiopic,georgian,gujarati,gurmukhi,kannada,khmer,lao,malayalam,oriya,sinhala,tamil,telugu,thai}/files/noto-sans-*-{armenian,bengali,ethiopic,georgian,gujarati,gurmukhi,kannada,khmer,lao,malayalam,oriya,sinhala,tamil,telugu,thai}-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff',
    '/../node_modules/@fontsource/noto-sans-symbols/files/noto-sans-symbols-symbols-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff',
    '/../node_modules/@fontsource/noto-emoji/files/noto-emoji-emoji-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-jp/files/noto-sans-jp-japanese-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-jp/files/noto-sans-jp-{57,58,59,113}-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-kr/files/noto-sans-kr-korean-{400,700}-normal.woff',
  ],
  { query: '?url', import: 'default' },
);

const files = new Map<string, Promise<Uint8Array>>();

/** Fetches a font file by its name, such as `noto-sans-latin-400-normal.woff`, once. @throws Error if it cannot be fetched */
export function fontFile(name: string): Promise<Uint8Array> {
  const known = files.get(name);
  if (known !== undefined) return known;
  const file = fetchFile(name);
  files.set(name, file);
  file.catch(() => files.delete(name));
  return file;
}

async function fetchFile(name: string): Promise<Uint8Array> {
  const load = fileIn(urls, name);
  const url = load ? await load() : fileIn((await import('./east-asian-files')).eastAsianFiles, name);
  if (url === undefined) throw new Error(`There is no font ${name}.`);
  const response = await fetch(url);
  if (!response.ok) throw new Error('The fonts of the PDF could not be fetched.');
  return decompressWoff(new Uint8Array(await response.arrayBuffer()));
}

const fileIn = <T>(files: Record<string, T>, name: string): T | undefined =>
  Object.entries(files).find(([path]) => path.endsWith(`/${name}`))?.[1];
