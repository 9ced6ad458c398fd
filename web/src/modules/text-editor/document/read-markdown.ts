import type { Nodes, PhrasingContent, RootContent, Table } from 'mdast';
import type { Mark, Node } from 'prosemirror-model';
import type { InlineMath } from '#libs/contract/markdown-math.js';
import type { Tagged } from '#libs/contract/inline-tags.js';
import { parseMarkdown } from './parse-markdown';
import { schema, taggedMarks } from './schema';

const { nodes, marks } = schema;

/** Parses Markdown, such as pasted text, into blocks. */
export function readBlocks(markdown: string): Node[] {
  const read = blockReader(markdown);
  return parseMarkdown(markdown).children.map(read);
}

/** @returns a function that converts blocks of the syntax tree of `source` to nodes; unsupported Markdown stays source */
export function blockReader(source: string): (block: RootContent) => Node {
  const sourceOf = ({ position }: Nodes) =>
    source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);

  /** The source of a nested block without the indent and the `>` markers that its containers add to each line. */
  const unindentedSource = (node: Nodes) => {
    const { column = 1, offset = 0 } = node.position?.start ?? {};
    const prefix = source.slice(offset - column + 1, offset).replace(/[^>\s]/g, ' ');
    const unindent = (line: string) => (line.startsWith(prefix) ? line.slice(prefix.length) : line);
    return sourceOf(node)
      .split('\n')
      .map((line, index) => (index === 0 ? line : unindent(line)))
      .join('\n');
  };

  /** On one line: the markers of block quotes begin further lines of the source. */
  const inlineFormula = (node: InlineMath) => {
    const source = sourceOf(node);
    const length = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2;
    const tex = node.value.replace(/\s*\n\s*/g, ' ');
    const isOneLine = !source.includes('\n');
    return {
      source: isOneLine ? source : source.slice(0, length) + tex + source.slice(-length),
      tex,
      display: node.display,
    };
  };

  const blocks = (children: readonly RootContent[]) =>
    children.length > 0 ? children.map(block) : [nodes.paragraph.create()];

  function block(node: RootContent): Node {
    switch (node.type) {
      case 'paragraph':
        return nodes.paragraph.create(null, inline(node.children));
      case 'heading':
        return nodes.heading.create({ level: node.depth }, inline(node.children));
      case 'blockquote':
        return nodes.blockquote.create(null, blocks(node.children));
      case 'code':
        return nodes.code_block.create(
          { lang: node.lang ?? null, meta: node.meta ?? null },
          node.value === '' ? null : schema.text(node.value),
        );
      case 'thematicBreak':
        return nodes.horizontal_rule.create();
      case 'list': {
        const spread = node.spread ?? false;
        const items = node.children.map((item) =>
          nodes.list_item.create(
            { checked: item.checked ?? null, spread: item.spread ?? false },
            blocks(item.children),
          ),
        );
        return node.ordered
          ? nodes.ordered_list.create({ start: node.start ?? 1, spread }, items)
          : nodes.bullet_list.create({ spread }, items);
      }
      case 'table':
        return table(node);
      case 'math':
        return nodes.math_block.create({ source: unindentedSource(node), tex: node.value });
      default:
        return nodes.raw_block.create(null, schema.text(unindentedSource(node)));
    }
  }

  function table({ children, align }: Table): Node {
    const width = Math.max(...children.map((row) => row.children.length));
    const rows = children.map((row, y) => {
      const cells = Array.from({ length: width }, (_, x) => {
        const type = y === 0 ? nodes.table_header : nodes.table_cell;
        const content = nodes.paragraph.create(null, inline(row.children[x]?.children ?? [], [], true));
        return type.create({ align: align?.[x] ?? null }, content);
      });
      return nodes.table_row.create(null, cells);
    });
    return nodes.table.create(null, rows);
  }

  function inline(
    children: readonly PhrasingContent[],
    around: readonly Mark[] = [],
    inCell = false,
  ): Node[] {
    const within = (content: readonly PhrasingContent[], mark: Mark) =>
      inline(content, mark.addToSet(around), inCell);
    return (children as readonly (PhrasingContent | Tagged)[]).flatMap((node): Node[] => {
      switch (node.type) {
        case 'tagged':
          return within(node.children as PhrasingContent[], taggedMarks[node.tag].create());
        case 'text':
          return node.value === '' ? [] : [schema.text(node.value, around)];
        case 'emphasis':
          return within(node.children, marks.em.create());
        case 'strong':
          return within(node.children, marks.strong.create());
        case 'delete':
          return within(node.children, marks.strike.create());
        case 'link':
          return within(node.children, marks.link.create({ href: node.url, title: node.title ?? null }));
        case 'inlineCode':
          return [schema.text(node.value, marks.code.create().addToSet(around))];
        case 'break':
          return [nodes.hard_break.create(null, null, around)];
        case 'inlineMath':
          return [nodes.math.create(inlineFormula(node), null, around)];
        case 'image':
          return [
            nodes.image.create(
              { src: node.url, alt: node.alt ?? '', title: node.title ?? null },
              null,
              around,
            ),
          ];
        default: {
          const text = sourceOf(node);
          // In table cells, `<br>` is the only way to write a line break.
          return inCell && /^<br\s*\/?>$/i.test(text)
            ? [nodes.hard_break.create(null, null, around)]
            : [schema.text(text, marks.raw.create().addToSet(around))];
        }
      }
    });
  }

  return block;
}
