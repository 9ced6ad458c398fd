import { useState } from 'react';
import toast from 'react-hot-toast';
import { ChevronDown, Download } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { readEditPrompt } from '#libs/contract/images.js';
import type { Creation } from '#libs/contract/creations.js';
import { Button } from '../../shared/ui/button';
import { MenuContent, MenuItem } from '../../shared/ui/menu';
import { fetchFile } from '../../shared/http/http';
import { saveFile } from '../../shared/lib/save-file';
import { downloadName } from '../creations/download-name';
import { extensions, formatLabels, mediaTypes, type PictureFormat } from './composition/settings';
import { convertImage } from './convert-image';

interface DownloadButtonProps {
  url: string;
  creation: Creation | undefined;
  /** True while the creation is loading, which has the name and the format. */
  loading?: boolean;
  /** The start of the name if the creation names no file. */
  fallback: string;
}

const formats = Object.keys(formatLabels) as PictureFormat[];

/** Saves an image under its {@link downloadName}, as what its source was, or in a format to choose. */
export function DownloadButton({ url, creation, loading = false, fallback }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = async (chosen: PictureFormat | undefined) => {
    setBusy(true);
    try {
      const stored = await fetchFile(url);
      const format =
        chosen ?? sourceFormat(creation) ?? formats.find((one) => mediaTypes[one] === stored.type);
      const image = format === undefined ? stored : await convertImage(stored, format);
      saveFile(image, downloadName(creation, fallback, extensions[format ?? 'jpeg']));
    } catch {
      toast.error('Failed to download image');
    } finally {
      setBusy(false);
    }
  };
  return (
    <span className="inline-flex">
      <Button
        size="small"
        busy={busy}
        waiting={loading}
        onClick={() => void download(undefined)}
        className="rounded-r-none"
      >
        {!busy && <Download aria-hidden="true" className="size-4" />}
        Download
      </Button>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <Button
            size="small"
            waiting={loading}
            aria-label="Download as"
            className="-ml-px rounded-l-none px-2 touch:min-w-11"
          >
            <ChevronDown aria-hidden="true" className="size-4" />
          </Button>
        </DropdownMenu.Trigger>
        <MenuContent align="end">
          {formats.map((format) => (
            <MenuItem key={format} onSelect={() => void download(format)}>
              {formatLabels[format]}
            </MenuItem>
          ))}
        </MenuContent>
      </DropdownMenu.Root>
    </span>
  );
}

/** The format of the photo from which an object was removed. A cut-out stays as it is, for its transparency. */
function sourceFormat(creation: Creation | undefined): PictureFormat | undefined {
  const edit = readEditPrompt(creation?.prompt ?? '');
  if (edit === null || edit.removed === 'Background') return undefined;
  if (/\.(jpe?g|heic|heif)$/i.test(edit.fileName)) return 'jpeg';
  return /\.webp$/i.test(edit.fileName) ? 'webp' : undefined;
}
