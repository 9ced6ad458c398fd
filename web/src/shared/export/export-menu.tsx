import { useCallback, useState } from 'react';
import { DropdownMenu } from 'radix-ui';
import toast from 'react-hot-toast';
import { ChevronDown, FileDown } from 'lucide-react';
import { Button } from '../ui/button';
import { saveFile } from '../lib/save-file';
import { fileNameOf } from './file-name';
import { PrintDocument } from './print-document';

interface ExportMenuProps {
  /** Markdown. */
  text: string;
  /** Becomes the file name. */
  title: string;
}

const formats = {
  md: { label: 'Markdown (.md)', make: markdownFile },
  docx: { label: 'Word (.docx)', make: wordFile },
  pdf: { label: 'PDF (.pdf)', make: pdfFile },
} as const;
type Format = keyof typeof formats;

const PRINT_INSTEAD = 'Your own fonts set this text best: choose “Save as PDF” in the print dialog.';

/** In-app browsers may not have `window.print`. */
const NO_PRINT = 'This browser cannot print. Export the text as Word or Markdown instead.';

/** If our fonts lack a character of the text, PDF export opens the browser's print dialog instead. */
export function ExportMenu({ text, title }: ExportMenuProps) {
  const [busy, setBusy] = useState(false);
  const [printing, setPrinting] = useState(false);
  const stopPrinting = useCallback(() => setPrinting(false), []);
  const save = async (format: Format) => {
    setBusy(true);
    try {
      const file = await formats[format].make(text, title);
      if (file !== null) saveFile(file, fileNameOf(title, format));
      else if (typeof window.print !== 'function') toast.error(NO_PRINT);
      else {
        toast(PRINT_INSTEAD, { duration: 8_000 });
        setPrinting(true);
      }
    } catch {
      toast.error('Failed to export. The text itself is safe; try again in a moment.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button size="small" busy={busy}>
          {!busy && <FileDown aria-hidden="true" className="size-4" />}
          Export
          <ChevronDown aria-hidden="true" className="-mr-1 size-4 text-quiet" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="panel z-50 min-w-44 animate-fade p-1 shadow-[0_8px_24px_rgb(0_0_0/0.18)]"
        >
          {(Object.keys(formats) as Format[]).map((format) => (
            <DropdownMenu.Item
              key={format}
              onSelect={() => void save(format)}
              className="flex min-h-10 cursor-pointer items-center rounded-[6px] px-3 text-sm outline-none data-highlighted:bg-tint"
            >
              {formats[format].label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
      {printing && <PrintDocument text={text} title={title} onDone={stopPrinting} />}
    </DropdownMenu.Root>
  );
}

async function markdownFile(text: string): Promise<Blob> {
  return new Blob([text], { type: 'text/markdown;charset=utf-8' });
}

async function wordFile(text: string, title: string): Promise<Blob> {
  const { toDocx } = await import('./to-docx');
  return toDocx(text, title);
}

/** Null if our fonts lack a character of the text. */
async function pdfFile(text: string, title: string): Promise<Blob | null> {
  const { toPdf } = await import('./to-pdf');
  return toPdf(text, title);
}
