import { memo } from 'react';
import clsx from 'clsx';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { splitBlocks } from './split-blocks';

const plugins = [remarkGfm];

/** Headings stand two levels lower than in the text: page and pane have their own above them. */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  // A picture from elsewhere would tell its server who reads this; its link stands for it.
  img: ({ src, alt }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noopener noreferrer nofollow">
      {alt || 'Image'}
    </a>
  ),
  input: ({ checked }) => <input type="checkbox" checked={checked ?? false} disabled aria-label="Task" />,
};

/** One block; rendered again only when its own text changes. Raw HTML is shown as text, unsafe links are dropped. */
const Block = memo(function Block({ text }: { text: string }) {
  return (
    <div>
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

interface MarkdownProps {
  text: string;
  /** Whether more is being set: shows the caret. */
  streaming?: boolean;
  className?: string;
}

export function Markdown({ text, streaming = false, className }: MarkdownProps) {
  return (
    <div className={clsx('prose', className)} data-streaming={streaming}>
      {splitBlocks(text).map((block, place) => (
        <Block key={place} text={block} />
      ))}
    </div>
  );
}
