import { useState } from 'react';
import { DropdownMenu } from 'radix-ui';
import toast from 'react-hot-toast';
import { ChevronDown, FileDown } from 'lucide-react';
import { Button } from '../button';
import { saveFile } from '../save-file';
import { fileNameOf } from './file-name';

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

/** Saves a text as a file of the chosen form. */
export function ExportMenu({ text, title }: ExportMenuProps) {
  const [busy, setBusy] = useState(false);
  const save = async (form: Form) => {
    setBusy(true);
    try {
      saveFile(await forms[form].make(text, title), fileNameOf(title, form));
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

async function pdfFile(text: string, title: string): Promise<Blob> {
  const { toPdf } = await import('./to-pdf');
  const { blob, missing } = await toPdf(text, title);
  if (missing.length > 0)
    toast(
      `The fonts of the PDF lack ${missing.slice(0, 5).join(' ')}${missing.length > 5 ? ' and others' : ''}: they stand as “?”. Word and Markdown keep them.`,
      { duration: 8_000 },
    );
  return blob;
}
