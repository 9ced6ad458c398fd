import { useState } from 'react';
import toast from 'react-hot-toast';
import { Download } from 'lucide-react';
import { Button } from '../../shared/ui/button';
import { fetchFile } from '../../shared/http/http';
import { saveFile } from '../../shared/lib/save-file';

interface DownloadButtonProps {
  url: string;
  name: string;
}

const extensions: Record<string, string> = { 'image/png': 'png', 'image/webp': 'webp' };

/** Saves an image as `{name}-{milliseconds}.{extension}`. */
export function DownloadButton({ url, name }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const image = await fetchFile(url);
      const ending = extensions[image.type] ?? 'jpg';
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
