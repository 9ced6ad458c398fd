import { useEffect, useRef, useState } from 'react';
import type { Job, Preview } from '#libs/contract/jobs.js';
import { jobRoutes } from '#libs/contract/routes/jobs.js';
import { readFile } from '../../shared/http/call';
import { isOlderPreview } from '../runs/state/job-store';
import { useHttp } from '../../shared/account/use-http';

const ignoreError = () => undefined;

/**
 * @param job must be the same job in every render
 * @returns URL of the latest preview of a running job; null if there is none
 */
export function useJobPreview({ id, preview }: Job): string | null {
  const http = useHttp();
  const [latest, setLatest] = useState<{ preview: Preview; url: string } | null>(null);
  const urls = useRef<string[]>([]);
  const mounted = useRef(false);
  useEffect(() => {
    const created = urls.current;
    mounted.current = true;
    return () => {
      mounted.current = false;
      created.forEach((url) => URL.revokeObjectURL(url));
    };
  }, []);
  useEffect(() => {
    if (preview === null) return;
    const query = { attempt: String(preview.attempt), index: String(preview.index) };
    // Show this preview even if a newer preview exists, which replaces it once the newer preview is loaded.
    readFile(http, jobRoutes.getJobPreview, { params: { id }, query }).then((image) => {
      // The server sends an empty file if the attempt has ended.
      if (image.size === 0 || !mounted.current) return;
      const url = URL.createObjectURL(image);
      urls.current.push(url);
      setLatest((before) => (before && isOlderPreview(preview, before.preview) ? before : { preview, url }));
    }, ignoreError);
  }, [http, id, preview]);
  return preview !== null && latest?.preview.attempt === preview.attempt ? latest.url : null;
}
