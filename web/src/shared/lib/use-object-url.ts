import { useEffect, useState } from 'react';

/** An object URL for a file, revoked when the file changes; null if there is no file. */
export function useObjectUrl(file: Blob | null): string | null {
  const [current, setCurrent] = useState<{ file: Blob; url: string } | null>(null);
  useEffect(() => {
    if (file === null) return;
    const url = URL.createObjectURL(file);
    setCurrent({ file, url });
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return current !== null && current.file === file ? current.url : null;
}
