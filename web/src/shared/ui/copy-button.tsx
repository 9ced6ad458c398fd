import { useState } from 'react';
import toast from 'react-hot-toast';
import { Check, Copy } from 'lucide-react';
import { Button } from './button';

interface CopyButtonProps {
  text: string;
  /** Converts the text to HTML, which is copied beside it for programs such as Word. */
  toHtml?: (text: string) => Promise<string>;
  /** Text of the toast after success. */
  copied: string;
  /** Text of the toast after a failure. */
  failed: string;
}

export function CopyButton({ text, toHtml, copied, failed }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await (toHtml === undefined ? navigator.clipboard.writeText(text) : copyBoth(text, toHtml));
      setDone(true);
      setTimeout(() => setDone(false), 2_000);
      toast.success(copied);
    } catch {
      toast.error(failed);
    }
  };
  const Icon = done ? Check : Copy;
  return (
    <Button size="small" onClick={() => void copy()}>
      <Icon aria-hidden="true" className="size-4" />
      Copy
    </Button>
  );
}

/** Copies text and HTML; only the text if the browser cannot copy both. */
async function copyBoth(text: string, toHtml: (text: string) => Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(text);
  const blobOf = (content: string, type: string) => new Blob([content], { type });
  try {
    // Safari copies only in the event of the click itself, so it gets promises.
    const html = toHtml(text).then((content) => blobOf(content, 'text/html'));
    await navigator.clipboard.write([
      new ClipboardItem({ 'text/plain': blobOf(text, 'text/plain'), 'text/html': html }),
    ]);
  } catch {
    await navigator.clipboard.writeText(text);
  }
}
