import { useState } from 'react';
import toast from 'react-hot-toast';
import { Download } from 'lucide-react';
import { Button } from '../button';
import { ownAddress } from './own-address';

interface DownloadButtonProps {
  url: string;
  /** The file's name without the time that is put behind it. */
  name: string;
  extension: 'jpg' | 'png';
}

/** Saves an image as `{name}-{timestamp}.{extension}`, the timestamp in milliseconds. */
export function DownloadButton({ url, name, extension }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const answer = await fetch(ownAddress(url));
      if (!answer.ok) throw new Error(`The file was answered with ${answer.status}.`);
      save(await answer.blob(), `${name}-${Date.now()}.${extension}`);
    } catch {
      toast.error('Failed to download image');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" busy={busy} onClick={() => void download()}>
      {!busy && <Download aria-hidden="true" className="size-4" />}
      Download
    </Button>
  );
}

function save(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser takes the bytes after the click; the address may go once it has.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
