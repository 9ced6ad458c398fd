import { useCallback, useState } from 'react';
import toast from 'react-hot-toast';
import { FileDown } from 'lucide-react';
import { Menu, MenuItem } from '../../../shared/ui/menu';
import { saveFile } from '../../../shared/lib/save-file';
import { fileNameOf } from './file-name';
import { PrintDocument } from './print-document';

interface ExportMenuProps {
  text: string;
  title: string;
}

const formats = {
  md: { label: 'Markdown (.md)', make: markdownFile },
  docx: { label: 'Word (.docx)', make: wordFile },
  pdf: { label: 'PDF (.pdf)', make: pdfFile },
  html: { label: 'Web page (.html)', make: htmlFile },
  txt: { label: 'Plain text (.txt)', make: textFile },
} as const;
type Format = keyof typeof formats;

/** Number of missing characters that the message names. */
const NAMED = 5;

function printInstead(missing: readonly string[]): string {
  const named = missing.slice(0, NAMED).join(' ');
  const others = missing.length > NAMED ? ` and ${missing.length - NAMED} others` : '';
  return `The PDF has no font for ${named}${others}. Choose “Save as PDF” in the print dialog.`;
}

/** Shown if `window.print` is missing, as in some in-app browsers. */
const NO_PRINT = 'This browser cannot print. Export the text as Word or Markdown instead.';

/** Menu of export formats. If our PDF fonts lack a character of the text, PDF export opens the print dialog instead. */
export function ExportMenu({ text, title }: ExportMenuProps) {
  const [busy, setBusy] = useState(false);
  const [printing, setPrinting] = useState(false);
  const stopPrinting = useCallback(() => setPrinting(false), []);
  const print = (hint?: string) => {
    if (typeof window.print !== 'function') return void toast.error(NO_PRINT);
    if (hint !== undefined) toast(hint, { duration: 8_000 });
    setPrinting(true);
  };
  const save = async (format: Format) => {
    setBusy(true);
    try {
      const file = await formats[format].make(text, title);
      if (file instanceof Blob) saveFile(file, fileNameOf(title, format));
      else print(printInstead(file.missing));
    } catch {
      toast.error('Failed to export. Your text is safe. Try again in a moment.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Menu label="Export" icon={FileDown} busy={busy || printing}>
        {(Object.keys(formats) as Format[]).map((format) => (
          <MenuItem key={format} onSelect={() => void save(format)}>
            {formats[format].label}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => print()}>Print</MenuItem>
      </Menu>
      {printing && <PrintDocument text={text} title={title} onDone={stopPrinting} />}
    </>
  );
}

async function markdownFile(text: string): Promise<Blob> {
  // In a file, images need absolute URLs, so prepend the origin to paths of this server.
  const whole = text.replace(/(!\[[^\]]*\]\()(\/files\/[\w-]{43}\b)/g, `$1${location.origin}$2`);
  return new Blob([whole], { type: 'text/markdown;charset=utf-8' });
}

async function wordFile(text: string, title: string): Promise<Blob> {
  const { toDocx } = await import('./to-docx');
  return toDocx(text, title);
}

async function htmlFile(text: string, title: string): Promise<Blob> {
  const { toHtml } = await import('./to-html');
  return new Blob([await toHtml(text, title)], { type: 'text/html;charset=utf-8' });
}

async function textFile(text: string): Promise<Blob> {
  const { toText } = await import('./to-text');
  return new Blob([toText(text)], { type: 'text/plain;charset=utf-8' });
}

/** @returns the characters that the fonts lack, if there are any; print the text instead */
async function pdfFile(text: string, title: string): Promise<Blob | { missing: string[] }> {
  const [{ toPdf }, { fontFile }] = await Promise.all([import('./to-pdf'), import('./pdf-font-files')]);
  const made = await toPdf(text, title, fontFile);
  return 'pdf' in made ? made.pdf : made;
}
