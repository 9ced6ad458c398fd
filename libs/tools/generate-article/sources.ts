import type { Nodes } from 'mdast';
import type { WebPage } from '#libs/ai/engine.js';
import { paragraphsOf } from '#libs/contract/brief.js';
import { shorten } from '#libs/contract/text.js';
import { escapeMarkdown, oneLine, plainText } from '#libs/local-engine/text/markdown-text.js';
import { compareFacts } from '#libs/local-engine/text/facts/facts.js';
import { parseBounded, type Prose } from '#libs/local-engine/text/prose.js';

/** A citation such as `[3]`: the number of a source paragraph. Markdown links and link definitions do not match. */
const CITATION = /[ \t]?\[(\d{1,3})\](?!\(|\][([]|\[(?!\d{1,3}\])|(?<=^[ \t]*\[\d{1,3}\]):)/gm;
const QUOTED_LETTERS = 240;
const MOST_NAMED = 8;

interface SourcedArticle {
  content: string;
  /** Lists facts that neither the sources nor the brief have; null if there are none and the article cites a paragraph. */
  notice: string | null;
}

/**
 * Appends a section with the numbered source paragraphs that the article cites, and removes citations of paragraphs
 * that do not exist.
 * @param asked the user's prompt and points. Their facts need no source.
 */
export function citeSources({
  article,
  sources,
  asked,
}: Record<'article' | 'sources' | 'asked', string>): SourcedArticle {
  const paragraphs = paragraphsOf(sources);
  const cited = new Set<number>();
  const content = mapCitations(article, (mark, paragraph) => {
    if (paragraphs[paragraph - 1] === undefined) return '';
    cited.add(paragraph);
    return mark;
  });
  const plain = mapCitations(content, () => '');
  const unsourced = compareFacts(`${asked}\n\n${paragraphs.join('\n\n')}`, plain)
    .filter(({ change }) => change === 'added')
    .map(({ text }) => shorten(oneLine(text), 60));
  const list = Array.from(cited)
    .sort((a, b) => a - b)
    .map(
      (number) => `- \\[${number}\\] “${escapeMarkdown(shorten(paragraphs[number - 1]!, QUOTED_LETTERS))}”`,
    );
  return {
    content: list.length === 0 ? content : `${content}\n\n## Sources\n\n${list.join('\n')}`,
    notice: unsourcedNotice(Array.from(new Set(unsourced)), cited.size > 0),
  };
}

/** The list of sources or the link definitions of a model, in lines such as `[1] Tea, 2026`. */
const OWN_LIST = /^[ \t]*(?:[-*+] )?[*_]{0,2}\\?\[\d{1,3}\\?\][*_]{0,2}[:.\s]/m;

/** Appends a section with the web pages that the article cites, and removes citations without a page. */
export function citePages({ article, pages }: { article: string; pages: readonly WebPage[] }): string {
  if (pages.length === 0 || OWN_LIST.test(article)) return article;
  const cited = new Map<number, WebPage>();
  const content = mapCitations(article, (mark, number) => {
    const page = pages[number - 1];
    if (!page || !/^https?:/i.test(page.url) || !URL.canParse(page.url)) return '';
    cited.set(number, page);
    return mark;
  });
  const list = Array.from(cited)
    .sort(([a], [b]) => a - b)
    .map(([number, { url, title }]) => {
      const { href, host } = new URL(url);
      return `- \\[${number}\\] [${escapeMarkdown(shorten(plainText(oneLine(title ?? host)), QUOTED_LETTERS))}](<${href}>)`;
    });
  return list.length === 0 ? content : `${content}\n\n## Sources\n\n${list.join('\n')}`;
}

/** Replaces each citation by the result of `map`, except in code and formulas, where brackets are not citations. */
function mapCitations(article: string, map: (mark: string, paragraph: number) => string): string {
  const code = codeIn(article);
  return article.replace(CITATION, (mark, number: string, at: number) =>
    code.some(({ start, end }) => start <= at && at < end) ? mark : map(mark, Number(number)),
  );
}

const CODE: ReadonlySet<string> = new Set(['code', 'inlineCode', 'math', 'inlineMath']);

function codeIn(markdown: string): Prose[] {
  const found: Prose[] = [];
  const visit = (node: Nodes) => {
    if (CODE.has(node.type))
      found.push({ start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 });
    else if ('children' in node) node.children.forEach(visit);
  };
  visit(parseBounded(markdown));
  return found;
}

function unsourcedNotice(facts: readonly string[], cites: boolean): string | null {
  const named = new Intl.ListFormat('en-GB').format([
    ...facts.slice(0, MOST_NAMED).map((fact) => `“${fact}”`),
    ...(facts.length > MOST_NAMED ? [`${facts.length - MOST_NAMED} more`] : []),
  ]);
  const notices = [
    facts.length > 0 && `Not in your sources: ${named}. Check or remove them.`,
    !cites && 'The article names no paragraph of your sources.',
  ].filter((notice) => notice !== false);
  return notices.join(' ') || null;
}
