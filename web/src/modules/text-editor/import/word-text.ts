/** True for XML with an element that {@link adaptText} rewrites. */
export const HAS_UNREAD = /<\w+:(?:fldSimple|dir|bdo|cr|ruby|framePr|gridBefore)\b/;

/** Rewrites what mammoth leaves out of a Word document, or puts elsewhere, as elements that it reads. */
export function adaptText(page: Document): void {
  const word = page.documentElement.namespaceURI;
  const elementsOf = (parent: Document | Element, name: string) => [
    ...parent.getElementsByTagNameNS(word, name),
  ];
  const create = (name: string, ...content: (Node | string)[]) => {
    const element = page.createElementNS(word, `w:${name}`);
    element.append(...content);
    return element;
  };
  // Fields, such as the number of a figure, and words of the other direction.
  for (const wrapper of ['fldSimple', 'dir', 'bdo'].flatMap((name) => elementsOf(page, name)))
    wrapper.replaceWith(...wrapper.childNodes);
  for (const lineBreak of elementsOf(page, 'cr')) lineBreak.replaceWith(create('br'));
  for (const ruby of elementsOf(page, 'ruby')) {
    const [base, reading] = ['rubyBase', 'rt'].map((name) => elementsOf(ruby, name)[0]);
    const words = reading?.textContent.trim();
    ruby.parentElement?.before(
      ...(base?.childNodes ?? []),
      ...(words ? [create('r', create('t', `（${words}）`))] : []),
    );
    ruby.remove();
  }
  // The large first letter of a chapter is a paragraph.
  for (const frame of elementsOf(page, 'framePr')) {
    const letter = frame.parentElement?.parentElement;
    const rest = letter?.nextElementSibling;
    const isLetter = /^(drop|margin)$/.test(frame.getAttributeNS(word, 'dropCap') ?? '');
    if (!letter || rest?.localName !== 'p' || !isLetter) continue;
    const [properties] = [...rest.children].filter(({ localName }) => localName === 'pPr');
    const runs = [...letter.children].filter(({ localName }) => localName !== 'pPr');
    if (properties) properties.after(...runs);
    else rest.prepend(...runs);
    letter.remove();
  }
  // Columns that a row leaves out at its start.
  for (const skipped of elementsOf(page, 'gridBefore')) {
    const row = skipped.parentElement?.parentElement;
    const count = Math.min(MAX_COLUMNS, Number(skipped.getAttributeNS(word, 'val')));
    const first = row && [...row.children].find(({ localName }) => localName === 'tc');
    for (let cell = 0; cell < count; cell += 1) first?.before(create('tc', create('p')));
  }
}

/** Word has no wider tables. */
const MAX_COLUMNS = 63;
