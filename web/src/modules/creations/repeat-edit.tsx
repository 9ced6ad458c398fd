import { RefreshCw } from 'lucide-react';
import toast from 'react-hot-toast';
import type { Job } from '#libs/contract/jobs.js';
import { useConfig } from '../../shared/account/read-config';
import type { SentImage } from '../../shared/drafts/file-drafts';
import { useKeepSent, useSentImage } from '../runs/jobs/sent-images';
import { useSubmitJob } from '../runs/jobs/job-calls';
import { Button } from '../../shared/ui/button';

export function RepeatButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button size="small" busy={busy} onClick={onClick}>
      {!busy && <RefreshCw aria-hidden="true" className="size-4" />}
      Again
    </Button>
  );
}

interface RepeatEditProps {
  jobId: string;
  onStarted: (job: Job) => void;
}

/**
 * Button that runs an image job again. Needs the original and mask from this browser, since the server deletes its copies.
 */
export function RepeatEdit({ jobId, onStarted }: RepeatEditProps) {
  const sent = useSentImage(jobId);
  const engine = useConfig().data?.tools.find(({ name }) => name === sent?.tool)?.engine;
  // Without an AI service, the same input always gives the same result, so offer no repetition.
  return sent && engine === 'openai' ? <SendAgain sent={sent} onStarted={onStarted} /> : null;
}

function SendAgain({ sent, onStarted }: { sent: SentImage; onStarted: (job: Job) => void }) {
  const { tool, input, image, mask } = sent;
  const submission = useSubmitJob(tool);
  const keep = useKeepSent();
  const files = { ...(input['creation'] === undefined && { image }), ...(mask && { mask }) };
  return (
    <RepeatButton
      busy={submission.isPending}
      onClick={() =>
        submission.mutate(
          { input, files },
          {
            onSuccess: (job) => void keep({ ...sent, jobId: job.id }).then(() => onStarted(job)),
            onError: ({ message }) => toast.error(message),
          },
        )
      }
    />
  );
}
