import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { create } from 'fontkit';
import { decompressWoff } from './decompress-woff.js';
import { filesOf, PdfFonts } from './pdf-fonts.js';

const packageOf = (file: string) =>
  /^(amiri|noto-emoji|noto-sans-(?:math|symbols-2|symbols|hebrew|mono|jp|kr|sc|hk)|noto-sans)-/.exec(
    file,
  )?.[1] ?? '';
/** A font of one script, such as `noto-sans-thai-thai`, is in a package of its own. */
const scriptPackageOf = (file: string) => /^(noto-sans-([a-z]+))-\2-/.exec(file)?.[1];

const loaded: string[] = [];
const fonts = () => {
  loaded.length = 0;
  return new PdfFonts(async (file) => {
    loaded.push(file);
    return create(
      await decompressWoff(
        Uint8Array.from(
          readFileSync(`node_modules/@fontsource/${scriptPackageOf(file) ?? packageOf(file)}/files/${file}`),
        ),
      ),
    );
  });
};

async function runsOf(text: string, style: 'sans' | 'mono' = 'sans') {
  const set = fonts();
  await set.prepare(text, style);
  const runs = set.runs(text, style).map(({ font, text, sup, sub }) => {
    const script = sup ? '^' : sub ? '_' : '';
    return `${font.replace(/^noto-(sans-)?/, '')} ${script}${text}`;
  });
  return { runs, missing: [...set.missing] };
}

it('loads only the font of a plain text', async () => {
  expect(await runsOf('Plain “text” – for 5 €.')).toEqual({
    runs: ['latin Plain “text” – for 5 €.'],
    missing: [],
  });
  expect(loaded).toEqual(['noto-sans-latin-400-normal.woff']);
});

it.each([
  [
    'Привет, κόσμε, Việt',
    ['cyrillic Привет', 'latin , ', 'greek κόσμε', 'latin , Vi', 'vietnamese ệ', 'latin t'],
  ],
  ['नमस्ते', ['devanagari नमस्ते']],
  ['שלום (12)', ['hebrew-hebrew שלום ', 'latin (12)']],
  ['مرحبا، ١٢', ['amiri-arabic مرحبا، ١٢']],
  ['ภาษาไทย', ['thai-thai ภาษา\u200bไทย']],
  ['น้ำ ฿5', ['thai-thai น\u0e4d\u0e49า ฿', 'latin 5']],
  ['ນ້ຳ', ['lao-lao ນ\u0ecd\u0ec9າ']],
  ['ខ្ញុំស្រលាញ់ប្រទេសកម្ពុជា។', ['khmer-khmer ខ្ញុំ\u200bស្រលាញ់\u200bប្រទេស\u200bកម្ពុជា។']],
  ['கொள்கை, 5', ['tamil-tamil கொள்கை', 'latin , 5']],
  ['করে।', ['bengali-bengali করে', 'devanagari ।']],
  ['ജനിച്ചിട്ടുള്ളവരാണ്\u200c', ['malayalam-malayalam ജനിച്ചിട്ടുള്ളവരാണ്\u200c']],
  ['അവന്\u200d', ['malayalam-malayalam അവന്\u200d']],
  ['ସ୍ତ୍ରୀ ශ්\u200dරී', ['oriya-oriya ସ୍ତ୍ରୀ ', 'sinhala-sinhala ශ්\u200dරී']],
  ['որ ღია ኢትዮ', ['armenian-armenian որ ', 'georgian-georgian ღია ', 'ethiopic-ethiopic ኢትዮ']],
  ['香港鋁𨋢', ['sc-chinese-simplified 香港', 'sc-31 鋁', 'hk-1 𨋢']],
  ['これは「重要」です', ['jp-japanese これは「重要」です']],
  ['图书馆', ['sc-chinese-simplified 图书馆']],
  ['圖書館 국어', ['jp-japanese 圖書館 ', 'kr-korean 국어']],
  ['10⁶ H₂O', ['latin 10', 'latin ^6', 'latin  H', 'latin _2', 'latin O']],
  [
    '√∞ → ≤ 𝑥',
    ['math-latin √∞', 'latin  ', 'math-latin →', 'latin  ', 'math-latin ≤', 'latin  ', 'math-latin 𝑥'],
  ],
  ['20 ℃ ﬁn №', ['latin 20 °C fin ', 'cyrillic №']],
  ['a‑b', ['latin a-b']],
  ['5 ‰ ※ ℮', ['latin 5 ', 'jp-59 ‰ ', 'jp-113 ※ ', 'jp-58 ℮']],
  ['▁▃▅▇█', ['jp-57 ▁▃▅▇', 'math-latin █']],
  ['1‒2 ‣ a‽ ℞', ['latin 1–2 • a?! Rx']],
  ['℗', ['symbols-symbols Ⓟ']],
  ['x̂q̇x̅v⃗ŷ', ['math-latin x̂q̇x̅v⃗', 'latin-ext ŷ']],
  ['𠮷野家ㄅ', ['jp-1 𠮷', 'sc-chinese-simplified 野家ㄅ']],
  ['don\u0092t pay 5\u00a0\u0080\u0081\ufffc', ['latin don’t pay 5\u00a0€']],
  ['\uf0b7a\uf0d8\uf0fc\uf0e0', ['latin •a', 'symbols-2-symbols ➢', 'math-latin ✓→']],
])('sets %s', async (text, runs) => {
  expect(await runsOf(text)).toEqual({ runs, missing: [] });
});

it.each(['🍅', '👍🏽', '👩🏽‍🚀', '👨‍👩‍👧‍👦', '🏳️‍🌈', '1️⃣', '🇩🇪', '❤️'])('sets the emoji %s in one piece', async (emoji) => {
  expect(await runsOf(`a ${emoji} !`)).toEqual({
    runs: ['latin a ', `emoji-emoji ${emoji}`, 'latin  !'],
    missing: [],
  });
});

it('sets code in a font of fixed width, with drawings as ASCII', async () => {
  expect(await runsOf('├── src\n└── a → b', 'mono')).toEqual({
    runs: ['mono-latin +-- src\n+-- a ', 'math-latin →', 'mono-latin  b'],
    missing: [],
  });
});

it('collects the characters that no font has', async () => {
  expect((await runsOf('ܫܠܡܐ and \ue000')).missing).toEqual(['ܫ', 'ܠ', 'ܡ', 'ܐ', '\ue000']);
});

it('uses other faces for the italic and the bold that a font lacks', () => {
  expect(filesOf('noto-sans-greek')[3]).toBe('noto-sans-greek-700-italic.woff');
  expect(filesOf('noto-sans-jp-japanese')[3]).toBe('noto-sans-jp-japanese-700-normal.woff');
  expect(filesOf('noto-sans-math-latin')[1]).toBe('noto-sans-math-latin-400-normal.woff');
});
