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

/** An object URL for an image. `canShow` is false if this browser cannot display the image, such as HEIC in Chrome. */
export function useImageUrl(file: Blob | null): { url: string | null; canShow: boolean } {
  const url = useObjectUrl(file);
  const [broken, setBroken] = useState<string | null>(null);
  useEffect(() => {
    if (url === null) return;
    const image = new Image();
    image.onerror = () => setBroken(url);
    image.src = url;
    return () => {
      image.onerror = null;
    };
  }, [url]);
  return { url, canShow: url === null || url !== broken };
}
