/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it, jest } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import '../../../../../test/web/longer-timeout';

// jsdom measures no text, so Mermaid cannot draw there. The browser tests draw diagrams.
const diagramSvg = jest.fn((code: string, theme: string) =>
  code.includes('broken') ? Promise.reject(new Error('wrong')) : Promise.resolve(`<svg>${theme}</svg>`),
);
jest.unstable_mockModule('./diagram-svg', () => ({ diagramSvg, svgUrl: (svg: string) => `data:,${svg}` }));
const { default: RenderedMarkdown } = await import('../rendered-markdown');

const fenced = (code: string, lang = 'mermaid') => `\`\`\`${lang}\n${code}\n\`\`\`\n`;

it('shows a diagram as an image that has its code as alternative text', async () => {
  const { container } = render(<RenderedMarkdown text={fenced('flowchart LR\n  A --> B')} />);
  expect(container.querySelector('pre')?.textContent).toContain('A --> B');
  const image = await screen.findByRole('img');
  expect(image.getAttribute('src')).toBe('data:,<svg>dark</svg>');
  expect(image.getAttribute('alt')).toContain('A --> B');
  expect(container.querySelector('pre')).toBeNull();
});

it('shows the code of a wrong diagram and says so', async () => {
  const { container } = render(<RenderedMarkdown text={fenced('broken')} />);
  expect(await screen.findByText('This diagram cannot be drawn.')).toBeTruthy();
  expect(container.querySelector('pre')?.textContent).toContain('broken');
});

it('draws a code that changes once it no longer does', async () => {
  diagramSvg.mockClear();
  const view = render(<RenderedMarkdown text={fenced('flowchart LR')} />);
  await waitFor(() => expect(diagramSvg).toHaveBeenCalledTimes(1));
  for (const arrow of ['-', '--', '-->'])
    view.rerender(<RenderedMarkdown text={fenced(`flowchart LR\n  A ${arrow} B`)} />);
  await waitFor(() => expect(screen.getByRole('img').getAttribute('alt')).toContain('A --> B'));
  expect(diagramSvg).toHaveBeenCalledTimes(2);
});

it('leaves other code alone', () => {
  diagramSvg.mockClear();
  const { container } = render(<RenderedMarkdown text={fenced('a', 'ts') + fenced('', 'mermaid')} />);
  expect(container.querySelectorAll('pre')).toHaveLength(2);
  expect(diagramSvg).not.toHaveBeenCalled();
});
