import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Download, Printer } from 'lucide-react';
import { saveFile } from '../../../../shared/lib/save-file';
import { Button } from '../../../../shared/ui/button';
import { CopyButton } from '../../../../shared/ui/copy-button';

const PrintDocument = lazy(() =>
  import('../../../../modules/text-editor/export/print-document').then((m) => ({ default: m.PrintDocument })),
);

interface RecoveryCodesProps {
  codes: string[];
  email: string | null;
  title: string;
  onGuard: (guarded: boolean) => void;
  onDone: () => void;
}

export function RecoveryCodes({ codes, email, title, onGuard, onDone }: RecoveryCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [printing, setPrinting] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    onGuard(true);
    return () => onGuard(false);
  }, [onGuard]);
  const lead = `Recovery codes of ${email ?? 'your account'} at Pressroom. Each works once.`;
  const text = `${lead}\n\n${codes.join('\n')}\n`;
  const stopPrinting = useCallback(() => setPrinting(false), []);
  return (
    <div className="mt-4 grid gap-4 rounded-control bg-sunken p-4">
      <h4 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {title}
      </h4>
      <p className="text-[0.9375rem] text-quiet">
        Save these recovery codes in a place other than your phone. Each works once in place of a code from
        the app. They are not shown again.
      </p>
      <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-[0.9375rem]">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton
          text={text}
          copied="Recovery codes copied."
          failed="Failed to copy. Download them instead."
        />
        <Button
          size="small"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'pressroom-recovery-codes.txt')}
        >
          <Download aria-hidden="true" className="size-4" />
          Download
        </Button>
        <Button size="small" onClick={() => setPrinting(true)}>
          <Printer aria-hidden="true" className="size-4" />
          Print
        </Button>
      </div>
      <Button variant="primary" size="small" className="justify-self-start" onClick={onDone}>
        I saved them
      </Button>
      {printing && (
        <Suspense fallback={null}>
          <PrintDocument
            text={`${lead}\n\n${codes.map((code) => `    ${code}`).join('\n')}`}
            title="Pressroom recovery codes"
            onDone={stopPrinting}
          />
        </Suspense>
      )}
    </div>
  );
}
