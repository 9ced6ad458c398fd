/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { render, waitFor } from '@testing-library/react';
import '../../../../../test/web/longer-timeout';
import RenderedMarkdown from '../rendered-markdown';

describe('formulas in Markdown', () => {
  it('has formulas and leaves prices alone', async () => {
    const { container } = render(
      <RenderedMarkdown
        text={'From $5 to $10: $x^2$ and \\(y\\)\n\n$$\n\\frac{1}{2}\n$$\n\n| a |\n| - |\n| $z$ |'}
      />,
    );
    await waitFor(() => expect(container.querySelectorAll('.katex')).toHaveLength(4));
    expect(container.textContent).toContain('From $5 to $10: ');
    expect(container.querySelector('.katex-display annotation')?.textContent).toBe('\\frac{1}{2}');
    expect(container.querySelector('td .katex')).not.toBeNull();
  });

  it('shows a wrong formula as TeX', async () => {
    const { container } = render(<RenderedMarkdown text={'$\\frac{1$ and $\\unknown$'} />);
    await waitFor(() => expect(container.querySelectorAll('code[title]')).toHaveLength(2));
    expect(container.textContent).toContain('\\frac{1 and \\unknown');
  });

  it.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://example.com}',
    '\\includegraphics{https://example.com/a.png}',
    '\\htmlData{a=b}{x}',
    '\\htmlStyle{position:fixed}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\def\\a{\\a\\a}\\a',
    'x'.repeat(10_000),
    '{'.repeat(4_000) + '}'.repeat(900),
  ])('makes no link, image or script of the formula %.40s', async (tex) => {
    const { container } = render(<RenderedMarkdown text={`$$\n${tex}\n$$`} />);
    await waitFor(() => expect(container.querySelector('[data-pending]')).toBeNull());
    expect(container.querySelector('a, img, script, [onerror], [data-a]')).toBeNull();
    expect(container.querySelector('[style*="position:fixed"]')).toBeNull();
  });

  it('are shown as TeX if there are too many', () => {
    const { container } = render(<RenderedMarkdown text={'$x$ '.repeat(1_001)} />);
    expect(container.querySelector('.formula, code')).toBeNull();
  });

  it('do not change the direction of their paragraph', async () => {
    const { container } = render(<RenderedMarkdown text="$x$ שלום" />);
    await waitFor(() => expect(container.querySelector('.katex')).not.toBeNull());
    expect(container.querySelector('p')?.dir).toBe('rtl');
    expect(container.querySelector<HTMLElement>('.formula')?.dir).toBe('ltr');
  });
});
