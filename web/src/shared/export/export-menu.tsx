import { useCallback, useState } from 'react';
import { DropdownMenu } from 'radix-ui';
import toast from 'react-hot-toast';
import { ChevronDown, FileDown } from 'lucide-react';
import { Button } from '../ui/button';
import { saveFile } from '../lib/save-file';
import { fileNameOf } from './file-name';
import { PrintSheet } from './print-sheet';

interface ExportMenuProps {
  /** The text in Markdown. */
  text: string;
  /** What the file is called. */
  title: string;
}

/** Each form, with what makes it: fetched only when it is asked for. */
const forms = {
  md: { label: 'Markdown (.md)', make: markdownFile },
  docx: { label: 'Word (.docx)', make: wordFile },
  pdf: { label: 'PDF (.pdf)', make: pdfFile },
} as const;
type Form = keyof typeof forms;

const PRINT_INSTEAD = 'Your own fonts set this text best: choose “Save as PDF” in the print dialog.';

/** Browsers within other programs may have none. */
const NO_PRINT = 'This browser cannot print. Export the text as Word or Markdown instead.';

/** Saves a text as a file of the chosen form. A PDF that our fonts cannot set, the browser's own print sets. */
export function ExportMenu({ text, title }: ExportMenuProps) {
  const [busy, setBusy] = useState(false);
  const [printing, setPrinting] = useState(false);
  const stopPrinting = useCallback(() => setPrinting(false), []);
  const save = async (form: Form) => {
    setBusy(true);
    try {
      const file = await forms[form].make(text, title);
      if (file !== null) saveFile(file, fileNameOf(title, form));
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
          className="sheet z-50 min-w-44 animate-fade p-1 shadow-[0_8px_24px_rgb(0_0_0/0.18)]"
        >
          {(Object.keys(forms) as Form[]).map((form) => (
            <DropdownMenu.Item
              key={form}
              onSelect={() => void save(form)}
              className="flex min-h-10 cursor-pointer items-center rounded-[6px] px-3 text-sm outline-none data-highlighted:bg-tint"
            >
              {forms[form].label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
      {printing && <PrintSheet text={text} title={title} onDone={stopPrinting} />}
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

/** Null where our fonts lack a sign of the text. */
async function pdfFile(text: string, title: string): Promise<Blob | null> {
  const { toPdf } = await import('./to-pdf');
  return toPdf(text, title);
}
