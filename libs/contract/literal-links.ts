import type { Link, Nodes, Text } from 'mdast';

/** Closing quotation marks and the punctuation of Chinese and Japanese, which GitHub's syntax takes for a part of an address. */
const END = /[“”„«»‹›、。，．！？；：「」『』（）【】〈〉《》…]|[‘’](?![\p{L}\p{N}])/u;
const TRAILING = /[?!.,:*_~]/;

/** Ends each address that is written without brackets at a quotation mark or the punctuation after it, as in `“see https://a.example”`. */
export function endLiteralLinks(root: Nodes): void {
  if (!('children' in root)) return;
  root.children = (root.children as Nodes[]).flatMap((child) => {
    const cut = child.type === 'link' ? cutLink(child) : null;
    if (cut === null) endLiteralLinks(child);
    return cut ?? [child];
  }) as typeof root.children;
}

function cutLink(link: Link): [Link, Text] | null {
  const [text, ...others] = link.children;
  if (text?.type !== 'text' || others.length > 0) return null;
  const length = link.position ? (link.position.end.offset ?? 0) - (link.position.start.offset ?? 0) : 0;
  const isLiteral = length === text.value.length && /^(?:https?:\/\/|www\.)/i.test(text.value);
  const end = isLiteral ? text.value.search(END) : -1;
  if (end < 0) return null;
  const address = withoutTrail(text.value.slice(0, end));
  const url = link.url.startsWith(text.value) ? address : `http://${address}`;
  return [
    { ...link, url, children: [{ type: 'text', value: address }] },
    { type: 'text', value: text.value.slice(address.length) },
  ];
}

/** Without the punctuation at the end, and a closing bracket that is not opened, as in GitHub's syntax. */
function withoutTrail(address: string): string {
  let unopened = address.split(')').length - address.split('(').length;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!TRAILING.test(last)) break;
  }
  return address.slice(0, end);
}
