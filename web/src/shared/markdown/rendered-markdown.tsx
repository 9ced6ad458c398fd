import { memo, useId, useState, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkGfm from 'remark-gfm';
import { readInlineTags } from '#libs/contract/inline-tags.js';
import { endLiteralLinks } from '#libs/contract/literal-links.js';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { hasTooManyFormulas } from '#libs/contract/markdown-math.js';
import { breakCells } from './cell-breaks';
import { setDirections } from './direction';
import { Diagram } from './diagrams/diagram';
import { joinTexts } from './join-texts';
import { isOwnImage } from './own-image';
import { Formula } from './formulas/formula';
import { remarkFormulas } from './formulas/remark-formulas';
import { PlainText } from './plain-text';
import { remarkStrikethrough } from './remark-strikethrough';
import { splitBlocks } from './split-blocks';

const plugins = [
  remarkGfm,
  remarkCjkFriendly,
  remarkStrikethrough,
  () => breakCells,
  () => readInlineTags,
  () => endLiteralLinks,
  () => joinTexts,
];
const pluginsWithFormulas = [...plugins, remarkFormulas];
const rehypePlugins = [setDirections];

/** A heading component that renders nothing while it is empty, as in a text that is still streaming. */
function heading(Tag: 'h3' | 'h4' | 'h5' | 'h6') {
  return function Heading({ children, dir }: { children?: ReactNode; dir?: string }) {
    return children == null ? null : <Tag dir={dir}>{children}</Tag>;
  };
}

/** Renders each heading two levels lower than in the text, because page and pane have headings of their own. */
const components: Components = {
  h1: heading('h3'),
  h2: heading('h4'),
  h3: heading('h5'),
  h4: heading('h6'),
  h5: heading('h6'),
  h6: heading('h6'),
  // Links to `#…` stay as they are: the parent component handles their clicks.
  // Footnotes link to each other by `id`.
  a: ({ href, title, id, dir, children, 'aria-label': label }) =>
    href?.startsWith('#') ? (
      <a href={href} title={title} id={id} dir={dir} aria-label={label}>
        {children}
      </a>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ),
  // Images of other servers become links. Loading them would disclose the reader's IP address to those servers.
  img: ({ src, alt }) =>
    typeof src === 'string' && isOwnImage(src) ? (
      <OwnImage src={src} alt={alt || 'Image'} />
    ) : typeof src === 'string' && src !== '' ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow">
        {alt || 'Image'}
      </a>
    ) : (
      <>{alt}</>
    ),
  code: ({ className, children }) =>
    className?.startsWith('language-math ') && typeof children === 'string' ? (
      <Formula tex={children} display={className.includes('math-display')} />
    ) : (
      <code className={className}>{children}</code>
    ),
  pre: ({ node, dir, children }) => {
    const code = diagramOf(node);
    return code === null ? <pre dir={dir}>{children}</pre> : <Diagram code={code} />;
  },
  table: ({ children, dir }) => (
    // In Safari, keyboard users can scroll a wide table only if the table is focusable.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <table tabIndex={0} dir={dir}>
      {children}
    </table>
  ),
  input: ({ checked }) => <input type="checkbox" checked={checked ?? false} disabled aria-label="Task" />,
};

/** The code of a Mermaid diagram; null if the block has other code. */
function diagramOf(pre: ExtraProps['node']): string | null {
  const [code] = pre?.children ?? [];
  if (code?.type !== 'element' || !String(code.properties['className']).startsWith('language-mermaid'))
    return null;
  const [text] = code.children;
  return text?.type === 'text' && text.value.trim() !== '' ? text.value.trim() : null;
}

/** An image of this server, or a note if its creation was deleted. */
function OwnImage({ src, alt }: { src: string; alt: string }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <em>{`${alt} (this image was deleted)`}</em>;
  return <img src={src} alt={alt} loading="lazy" onError={() => setFailed(true)} />;
}

/**
 * Renders a block. Memoized, so that only changed blocks render again. Raw HTML is shown as text; unsafe links are removed.
 */
const Block = memo(function Block({ text, formulas }: { text: string; formulas: boolean }) {
  return (
    <div>
      <ReactMarkdown
        remarkPlugins={formulas ? pluginsWithFormulas : plugins}
        rehypePlugins={rehypePlugins}
        // Unique, since a page can show several texts with footnotes.
        remarkRehypeOptions={{ clobberPrefix: useId() }}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** Renders Markdown. Texts over the Markdown limits are shown as plain text, and too many formulas as TeX. */
export default function RenderedMarkdown({ text }: { text: string }) {
  if (!isWithinMarkdownLimits(text)) return <PlainText text={text} />;
  const formulas = !hasTooManyFormulas(text);
  return splitBlocks(text).map((block, index) => <Block key={index} text={block} formulas={formulas} />);
}
