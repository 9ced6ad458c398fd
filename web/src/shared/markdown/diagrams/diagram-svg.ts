import mermaid from 'mermaid';
import type { Theme } from '../../theme';

/** Mermaid draws a longer text as an error; nobody could read such a diagram. */
const MAX_CHARACTERS = 20_000;

let drawn = 0;
let queue: Promise<unknown> = Promise.resolve();

/** Draws a Mermaid diagram as an SVG file. @throws Error if the code is wrong or too long */
export function diagramSvg(code: string, theme: Theme): Promise<string> {
  // Mermaid's settings are global, so diagrams are drawn one after another.
  const svg = queue.then(() => draw(code, theme));
  queue = svg.catch(() => undefined);
  return svg;
}

async function draw(code: string, theme: Theme): Promise<string> {
  if (code.length > MAX_CHARACTERS) throw new Error('This diagram is too long.');
  mermaid.initialize({
    startOnLoad: false,
    // Escapes HTML in labels, and ignores clicks and links.
    securityLevel: 'strict',
    theme: theme === 'dark' ? 'dark' : 'default',
    maxTextSize: MAX_CHARACTERS,
    suppressErrorRendering: true,
    fontFamily: 'sans-serif',
    // Labels as SVG text: a canvas, which the exports need, cannot read HTML in SVG.
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false },
    // The code of a diagram cannot change these settings.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'htmlLabels',
      'flowchart',
      'fontFamily',
    ],
  });
  await mermaid.parse(code);
  const { svg } = await mermaid.render(`diagram-${(drawn += 1)}`, code);
  return withSize(svg);
}

/** Space around a diagram in pixels. */
const MARGIN = 8;

/**
 * Gives a diagram the size of what is drawn. Mermaid 11.17.2 measures flowcharts before it moves their nodes, so that its
 * view box cuts them off.
 */
function withSize(source: string): string {
  const place = document.createElement('div');
  place.style.cssText =
    'position: absolute; visibility: hidden; inset: 0 auto auto 0; width: 0; height: 0; overflow: hidden';
  // Mermaid has sanitised it.
  place.innerHTML = source;
  const svg = place.querySelector('svg');
  if (svg === null) throw new Error('The diagram has no picture.');
  document.body.append(place);
  const { x, y, width, height } = svg.getBBox();
  place.remove();
  const size = [width, height].map((length) => String(Math.ceil(length) + 2 * MARGIN)) as [string, string];
  svg.setAttribute('viewBox', [Math.floor(x) - MARGIN, Math.floor(y) - MARGIN, ...size].join(' '));
  svg.setAttribute('width', size[0]);
  svg.setAttribute('height', size[1]);
  svg.removeAttribute('style');
  return new XMLSerializer().serializeToString(svg);
}

/** The address of an SVG file for an image, in which no script runs and nothing loads. */
export const svgUrl = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
