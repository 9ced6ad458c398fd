/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, expect, it, jest } from '@jest/globals';
import { render, waitFor } from '@testing-library/react';
import '../../../../../test/web/longer-timeout';

// jsdom measures no text, so Mermaid cannot draw there.
const svg = Promise.withResolvers<string>();
const diagramSvg = jest.fn<(code: string, theme: string) => Promise<string>>(() => svg.promise);
jest.unstable_mockModule('../../../shared/markdown/diagrams/diagram-svg', () => ({
  diagramSvg,
  svgUrl: (source: string) => `data:,${source}`,
}));
const { PrintDocument } = await import('./print-document');

const print = jest.fn();
beforeEach(() => {
  print.mockClear();
  diagramSvg.mockClear();
  Object.assign(window, { print });
  Object.assign(document, { fonts: { ready: Promise.resolve() } });
  HTMLImageElement.prototype.decode = () => Promise.resolve();
});

it('prints the source of a diagram that is not drawn in time', async () => {
  const never = '```mermaid\nflowchart LR\n```\n';
  const { unmount } = render(
    <PrintDocument text={never} title="A text" onDone={() => undefined} drawWithin={50} />,
  );
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  expect(document.querySelector('.print-document')!.textContent).toContain('flowchart LR');
  unmount();
});

it('prints when formulas and diagrams are drawn, in the light theme', async () => {
  render(
    <PrintDocument
      text={'$x^2$\n\n```mermaid\nflowchart LR\n```\n'}
      title="A text"
      onDone={() => undefined}
    />,
  );
  const article = document.querySelector('.print-document')!;
  await waitFor(() => expect(diagramSvg).toHaveBeenCalled());
  await waitFor(() => expect(article.querySelector('.katex')).not.toBeNull());
  expect(print).not.toHaveBeenCalled();
  svg.resolve('<svg/>');
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  expect(article.querySelector('img.diagram')).not.toBeNull();
  expect(diagramSvg.mock.calls.map(([, theme]) => theme)).toEqual(['light']);
});
