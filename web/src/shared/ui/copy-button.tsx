import { useState } from 'react';
import toast from 'react-hot-toast';
import { Check, Copy } from 'lucide-react';
import { Button } from './button';

interface CopyButtonProps {
  text: string;
  /** Text of the toast after success. */
  copied: string;
  /** Text of the toast after a failure. */
  failed: string;
}

export function CopyButton({ text, copied, failed }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
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
