import type { Theme } from '../../theme';

/** Milliseconds after the last change of a code until it is drawn again. */
export const REDRAW_DELAY_MS = 400;

/** Draws a Mermaid diagram. Mermaid loads only where there is one. @returns the image's address; null if it cannot be drawn */
export async function drawDiagram(code: string, theme: Theme): Promise<string | null> {
  try {
    const { diagramSvg, svgUrl } = await import('./diagram-svg');
    return svgUrl(await diagramSvg(code, theme));
  } catch {
    return null;
  }
}
