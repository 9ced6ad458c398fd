import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Job } from '#libs/contract/jobs.js';
import { useJobStore } from '../../shared/jobs/live-context';

const words: Partial<Record<Job['status'], string>> = { succeeded: 'Done', failed: 'Not finished' };

/** Reads out how a job ended, once, unless the page shows it; stages and percents are there for who looks them up. */
export function TrayNews() {
  const store = useJobStore();
  const shown = useSearchParams()[0].get('job');
  const [news, setNews] = useState('');
  useEffect(
    () =>
      store.onEnd(({ id, status, title }) => {
        const word = words[status];
        if (word !== undefined && id !== shown) setNews(`${word}: ${title}`);
      }),
    [store, shown],
  );
  return (
    <p role="status" className="sr-only">
      {news}
    </p>
  );
}
