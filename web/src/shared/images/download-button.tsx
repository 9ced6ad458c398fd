import { useState } from 'react';
import toast from 'react-hot-toast';
import { Download } from 'lucide-react';
import { Button } from '../ui/button';
import { saveFile } from '../lib/save-file';
import { ownAddress } from '../lib/own-address';

interface DownloadButtonProps {
  url: string;
  /** The file's name without the time that is put behind it. */
  name: string;
  /** `from-type` where either may come. */
  extension: 'jpg' | 'png' | 'from-type';
}

/** Saves an image as `{name}-{timestamp}.{extension}`, the timestamp in milliseconds. */
export function DownloadButton({ url, name, extension }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const answer = await fetch(ownAddress(url));
      if (!answer.ok) throw new Error(`The file was answered with ${answer.status}.`);
      const image = await answer.blob();
      const ending = extension !== 'from-type' ? extension : image.type === 'image/png' ? 'png' : 'jpg';
      saveFile(image, `${name}-${Date.now()}.${ending}`);
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
