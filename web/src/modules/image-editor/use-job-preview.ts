import { useEffect, useRef, useState } from 'react';
import type { Job, Preview } from '#libs/contract/jobs.js';
import { jobRoutes } from '#libs/contract/routes/jobs.js';
import { readFile } from '../../shared/http/call';
import { isOlderPreview } from '../runs/jobs/job-store';
import { useHttp } from '../../shared/account/use-http';

/** A preview that cannot be fetched is missed; the next one comes. */
const noPreview = () => undefined;

/** The address of a running job's newest preview that has arrived; null while there is none. One job only. */
export function useJobPreview({ id, preview }: Job): string | null {
  const http = useHttp();
  const [shown, setShown] = useState<{ preview: Preview; url: string } | null>(null);
  const urls = useRef<string[]>([]);
  const mounted = useRef(false);
  useEffect(() => {
    const made = urls.current;
    mounted.current = true;
    return () => {
      mounted.current = false;
      made.forEach((url) => URL.revokeObjectURL(url));
    };
  }, []);
  useEffect(() => {
    if (preview === null) return;
    const query = { attempt: String(preview.attempt), index: String(preview.index) };
    // One that was replaced meanwhile is shown all the same: it comes first.
    readFile(http, jobRoutes.getJobPreview, { params: { id }, query }).then((image) => {
      // Empty: it is gone, since its attempt has ended.
      if (image.size === 0 || !mounted.current) return;
      const url = URL.createObjectURL(image);
      urls.current.push(url);
      setShown((before) => (before && isOlderPreview(preview, before.preview) ? before : { preview, url }));
    }, noPreview);
  }, [http, id, preview]);
  return preview !== null && shown?.preview.attempt === preview.attempt ? shown.url : null;
}
