import { useEffect, useId, useState } from 'react';
import { scanLanguages, scanLanguageSchema, type ScanLanguage } from '#libs/contract/scans.js';
import { drafts } from '../../../shared/drafts/drafts';
import { FieldFrame } from '../../../shared/ui/field-frame';
import { Select } from '../../../shared/ui/select';

const DRAFT = 'scan-language';

export interface ScanLanguageChoice {
  /** Undefined until the user chooses a language; the server then assumes English. */
  language: ScanLanguage | undefined;
  choose: (language: ScanLanguage) => void;
}

/** The language in which scanned pages are read (OCR). All forms of this tab share it. */
export function useScanLanguage(): ScanLanguageChoice {
  const [language, setLanguage] = useState(() => scanLanguageSchema.safeParse(drafts.read(DRAFT)).data);
  return {
    language,
    choose: (next) => {
      setLanguage(next);
      drafts.write(DRAFT, next);
    },
  };
}

/** The language field, if the chosen file is a PDF with a scanned page. */
export function ScanLanguageOfFile({ file, choice }: { file: File | null; choice: ScanLanguageChoice }) {
  return useHasScan(file) && <ScanLanguageField choice={choice} />;
}

function useHasScan(file: File | null): boolean {
  const [scan, setScan] = useState<File | null>(null);
  useEffect(() => {
    if (file?.type !== 'application/pdf') return;
    const controller = new AbortController();
    const { signal } = controller;
    const look = async () => {
      const { hasScan } = await import('../../../shared/pdf/read-pdf');
      if ((await hasScan(file, signal)) && !signal.aborted) setScan(file);
    };
    // The server says what is wrong with a file that cannot be read.
    look().catch(() => undefined);
    return () => controller.abort();
  }, [file]);
  return file !== null && scan === file;
}

export function ScanLanguageField({ choice: { language, choose } }: { choice: ScanLanguageChoice }) {
  const id = useId();
  return (
    <FieldFrame id={id} label="Language of a scan" hint="Scanned pages are read in this language.">
      <Select
        id={id}
        value={language ?? 'en'}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => choose(scanLanguageSchema.parse(currentTarget.value))}
      >
        {Object.entries(scanLanguages).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}
