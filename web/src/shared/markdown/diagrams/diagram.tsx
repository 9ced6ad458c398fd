import { useEffect, useState } from 'react';
import { useTheme } from '../../theme';
import { drawDiagram } from './draw-diagram';

/** A Mermaid diagram. Its code is shown until it is drawn, and if it is wrong. */
export function Diagram({ code }: { code: string }) {
  const theme = useTheme();
  const [drawn, setDrawn] = useState<{ code: string; url: string | null } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void drawDiagram(code, theme).then((url) => {
      if (isCurrent) setDrawn({ code, url });
    });
    return () => void (isCurrent = false);
  }, [code, theme]);
  const isWrong = drawn?.code === code && drawn.url === null;
  if (drawn?.code === code && drawn.url !== null)
    return <img src={drawn.url} alt={`Diagram: ${code}`} className="diagram" />;
  return (
    <>
      <pre>
        <code className="language-mermaid">{code}</code>
      </pre>
      {isWrong && <p className="text-sm text-quiet">This diagram cannot be drawn.</p>}
    </>
  );
}
