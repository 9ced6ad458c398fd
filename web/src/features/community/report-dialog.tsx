import { useState, type FormEvent } from 'react';
import toast from 'react-hot-toast';
import { Flag } from 'lucide-react';
import { REPORT_WORDS_MAX, reportReasons, type ReportReason } from '#libs/contract/moderation.js';
import { useReportPicture } from '../../modules/creations/api/list-published';
import { Dialog } from '../../shared/ui/dialog';
import { DialogButtons } from '../../shared/ui/dialog-buttons';
import { RadioChips } from '../../shared/ui/radio-chips';
import { TextAreaField } from '../../shared/ui/text-area-field';

const options: { value: ReportReason | ''; label: string }[] = Object.entries(reportReasons).map(
  ([value, label]) => ({
    value: value as ReportReason,
    label,
  }),
);

interface ReportDialogProps {
  id: string;
  onClose: () => void;
}

/** Reports a published picture to whoever runs the server. */
export function ReportDialog({ id, onClose }: ReportDialogProps) {
  const [reason, setReason] = useState<ReportReason | ''>('');
  const [words, setWords] = useState('');
  const report = useReportPicture();
  const isIncomplete = reason === '' || (reason === 'other' && words.trim() === '');
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isIncomplete || report.isPending) return;
    report.mutate(
      { id, reason, words: words.trim() },
      {
        onSuccess: ({ message }) => {
          toast.success(message);
          onClose();
        },
        onError: ({ message }) => toast.error(message),
      },
    );
  };
  return (
    <Dialog label="Report this picture" wide onClose={onClose}>
      <h2 className="pr-10 text-2xl">Report this picture</h2>
      <p className="mt-2 text-quiet">
        Whoever runs this server sees your report. The author never learns who sent it. You no longer see the
        picture.
      </p>
      <form onSubmit={send} className="mt-6 grid gap-5">
        <RadioChips
          legend="What is wrong with it?"
          name="reason"
          value={reason}
          options={options}
          onChange={setReason}
        />
        <TextAreaField
          label={reason === 'other' ? 'What is wrong' : 'More about it (optional)'}
          required={reason === 'other'}
          value={words}
          maxLength={REPORT_WORDS_MAX}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <DialogButtons busy={report.isPending} disabled={isIncomplete} onClose={onClose}>
          {!report.isPending && <Flag aria-hidden="true" className="size-4" />}
          Report
        </DialogButtons>
      </form>
    </Dialog>
  );
}
