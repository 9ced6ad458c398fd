import { useEffect, useState } from 'react';

/** An address under which the page can show a file, as long as the file is the same; null without one. */
export function useObjectUrl(file: Blob | null): string | null {
  const [shown, setShown] = useState<{ file: Blob; url: string } | null>(null);
  useEffect(() => {
    if (file === null) return;
    const url = URL.createObjectURL(file);
    setShown({ file, url });
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return shown !== null && shown.file === file ? shown.url : null;
}
