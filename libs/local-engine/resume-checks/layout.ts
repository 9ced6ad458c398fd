import {
  count,
  good,
  improve,
  improveIf,
  note,
  type Checked,
  type CheckGroup,
  type Finding,
} from './finding.js';
import { isBullet } from '#libs/local-engine/resume/resume.js';

/** Finds signs in the extracted text that other programs misread the layout. */
export function checkLayout({ resume: { lines, pages, columns, fileName } }: Checked): CheckGroup {
  const empty = pages.flatMap((page, index) => (page.trim() === '' ? [index + 1] : []));
  const broken = lines.filter(
    ({ text }) => /[\ufffd\uf000-\uf8ff]/u.test(text) && !isBullet({ page: 1, line: 1, text }),
  );
  const tabular = lines.filter(({ text }) => /\|.*\||\t.*\t/.test(text) && text.length > 60);
  const spaced = lines.filter(({ text }) => /^(?:\p{L} ){4,}\p{L}$/u.test(text));
  const shouted = lines.filter(
    ({ text }) => text.split(/\s+/).length > 6 && /^(?=.*\p{Lu})[^\p{Ll}\p{Lo}]+$/u.test(text),
  );
  const bullets = new Set(lines.filter(isBullet).map(({ text }) => text.charAt(0)));
  const findings = [
    good('Programs can read its text.'),
    empty.length > 0 &&
      improve(`Without any text: page ${empty.join(', ')}. What is a picture there, programs do not read.`),
    columns.length > 0 &&
      improve(
        `Columns side by side: page ${columns.join(', ')}. Programs may read across them and mix up their lines: keep a version in one column.`,
      ),
    ...improveIf(broken, 'Characters without a meaning, probably icons: write the word beside them.'),
    tabular.length > 2 &&
      note('Lines that may come from a table; programs may read their cells in another order.', tabular),
    ...improveIf(spaced, 'Letters set apart: programs read single letters, not a word.'),
    ...improveIf(shouted, 'Long lines in capitals are hard to read.'),
    bullets.size > 2 && improve(`${count(bullets.size, 'kind')} of bullet marks: keep to one.`),
    checkName(fileName),
  ].filter((finding) => finding !== false);
  return { title: 'File and layout', findings };
}

function checkName(fileName: string): Finding {
  const base = fileName.replace(/\.(?:pdf|docx)$/i, '').trim();
  return /^(?:resume|cv|document|untitled|scan|file|new|final|draft)?[\s\d_()-]*$/i.test(base)
    ? note('The file has a general name; your name in it helps those who receive many.')
    : good('The file has a name of its own.');
}
