import { useState } from 'react';
import toast from 'react-hot-toast';
import { Download } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { Button } from '../../shared/ui/button';
import { fetchFile } from '../../shared/http/http';
import { saveFile } from '../../shared/lib/save-file';
import { downloadName } from '../creations/download-name';

interface DownloadButtonProps {
  url: string;
  creation: Creation | undefined;
  /** The start of the name if the creation names no file. */
  fallback: string;
}

const extensions: Record<string, string> = { 'image/png': 'png', 'image/webp': 'webp' };

/** Saves an image under its {@link downloadName}. */
export function DownloadButton({ url, creation, fallback }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const image = await fetchFile(url);
      const ending = extensions[image.type] ?? 'jpg';
      saveFile(image, downloadName(creation, fallback, ending));
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
