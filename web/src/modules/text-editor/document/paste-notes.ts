import { DOMParser as DocumentReader } from 'prosemirror-model';
import { schema } from './schema';
import { writeBlock } from './write-markdown';

/** Marks and notes of Word, Google Docs, LibreOffice, GitHub and Pandoc link to each other. The first group is of an endnote. */
const MARK = /^(?:_?ftnt?|(_edn|sdendnote)|sdfootnote|(?:user-content-)?fn-?)(\d+)(?:sym|-\w+)?$/i;
const NOTE =
  /^(?:_?ftnt?_?ref|(_ednref|sdendnote(?=\d+anc))|sdfootnote(?=\d+anc)|(?:user-content-)?fnref-?)(\d+)(?:anc|-[\w-]+)?$/i;

/**
 * Converts footnotes, of which mark and note are both there, to Markdown and unwraps other links whose target is within the source
 * document.
 */
export function readNotes(doc: Document): void {
  for (const line of doc.querySelectorAll('[data-style*="mso-element:footnote-list"] hr, #footnote-label'))
    line.remove();
  const raw = (tag: string, text: string) => {
    const element = doc.createElement(tag);
    element.dataset['raw'] = '';
    element.textContent = text;
    return element;
  };
  // Browsers copy the address of the page too.
  const links = [...doc.querySelectorAll('a[href*="#"]')].map((link) => {
    const [page, place = ''] = (link.getAttribute('href') ?? '').split('#');
    return { link, isWithin: page === '', mark: nameOf(MARK.exec(place)), note: nameOf(NOTE.exec(place)) };
  });
  const marks = new Set(links.map(({ mark }) => mark));
  const notes = new Set(links.map(({ note }) => note));
  for (const { link, isWithin, mark, note } of links) {
    if (!link.isConnected) continue;
    const block = link.closest('li') ?? link.closest('p, div');
    if (mark !== undefined && notes.has(mark))
      (link.closest('sup') ?? link).replaceWith(raw('span', `[^${mark}]`));
    else if (note === undefined || !marks.has(note) || block === null) {
      if (isWithin) link.replaceWith(...link.childNodes);
    } else {
      link.remove();
      const blocks = DocumentReader.fromSchema(schema).parse(block).children;
      const text = blocks.map((one) => writeBlock(one)).join(' ');
      const element = raw('pre', `[^${note}]: ${text.replace(/(\s|\\\n)+/g, ' ').trim()}`);
      const list = block.tagName === 'LI' ? block.parentElement : null;
      if (list === null) block.replaceWith(element);
      else {
        list.before(element);
        block.remove();
        if (list.children.length === 0) list.remove();
      }
    }
  }
}

/** Endnotes have the numbers of footnotes too. */
const nameOf = (found: RegExpExecArray | null) => found?.[2] && (found[1] ? `e${found[2]}` : found[2]);
