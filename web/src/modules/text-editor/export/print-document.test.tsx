/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it, jest } from '@jest/globals';
import { render, waitFor } from '@testing-library/react';

// jsdom measures no text, so Mermaid cannot draw there.
const svg = Promise.withResolvers<string>();
const diagramSvg = jest.fn<(code: string, theme: string) => Promise<string>>(() => svg.promise);
jest.unstable_mockModule('../../../shared/markdown/diagrams/diagram-svg', () => ({
  diagramSvg,
  svgUrl: (source: string) => `data:,${source}`,
}));
const { PrintDocument } = await import('./print-document');

it('prints when formulas and diagrams are drawn, in the light theme', async () => {
  const print = jest.fn();
  Object.assign(window, { print });
  Object.assign(document, { fonts: { ready: Promise.resolve() } });
  HTMLImageElement.prototype.decode = () => Promise.resolve();
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
