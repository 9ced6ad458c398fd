import { useEffect, useRef, useState } from 'react';
import { useTheme } from '../../theme';
import { diagramAlt } from './diagram-alt';
import { drawDiagram, REDRAW_DELAY_MS } from './draw-diagram';

/** A Mermaid diagram. Its code is shown until it is drawn, and if it is wrong. */
export function Diagram({ code }: { code: string }) {
  const theme = useTheme();
  const [drawn, setDrawn] = useState<{ code: string; url: string | null } | null>(null);
  const lastCode = useRef(code);
  useEffect(() => {
    let isCurrent = true;
    const draw = async () => {
      const url = await drawDiagram(code, theme);
      if (isCurrent) setDrawn({ code, url });
    };
    // The code of a text that streams changes with each piece.
    const timer = setTimeout(() => void draw(), lastCode.current === code ? 0 : REDRAW_DELAY_MS);
    lastCode.current = code;
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [code, theme]);
  const isPending = drawn?.code !== code;
  if (!isPending && drawn.url !== null)
    return <img src={drawn.url} alt={diagramAlt(code)} className="diagram" />;
  return (
    <>
      <pre data-pending={isPending || undefined}>
        <code className="language-mermaid">{code}</code>
      </pre>
      {!isPending && <p className="text-sm text-quiet">This diagram cannot be drawn.</p>}
    </>
  );
}
