import { useState, type FormEvent } from 'react';
import toast from 'react-hot-toast';
import type { Creation } from '#libs/contract/creations.js';
import { APPEAL_MAX, type ModerationState } from '#libs/contract/moderation.js';
import { useAppeal } from '../creations/api/change-creation';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { DialogButtons } from '../../shared/ui/dialog-buttons';
import { Notice } from '../../shared/ui/notice';
import { TextAreaField } from '../../shared/ui/text-area-field';

const titles: Record<ModerationState, string> = {
  waiting: 'Waiting for review',
  refused: 'Not published',
  hidden: 'Hidden from others',
};

/** Tells the owner why a creation is not public, and takes an answer. Renders nothing for others. */
export function ModerationNotice({ creation: { id, moderation } }: { creation: Creation }) {
  const [isOpen, setIsOpen] = useState(false);
  if (moderation === null) return null;
  const { state, reason, canAppeal, appeal } = moderation;
  return (
    <>
      <Notice
        tone={state === 'waiting' ? 'note' : 'warning'}
        title={titles[state]}
        action={
          canAppeal && (
            <Button size="small" onClick={() => setIsOpen(true)}>
              Answer
            </Button>
          )
        }
      >
        {reason}
        {appeal !== null && ` You answered: “${appeal}”`}
      </Notice>
      {isOpen && <AppealDialog id={id} reason={reason} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function AppealDialog({ id, reason, onClose }: { id: string; reason: string; onClose: () => void }) {
  const [text, setText] = useState('');
  const appeal = useAppeal();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || appeal.isPending) return;
    appeal.mutate(
      { id, text: text.trim() },
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
    <Dialog label="Answer this decision" wide onClose={onClose}>
      <h2 className="pr-10 text-2xl">Answer this decision</h2>
      <p className="mt-2 text-quiet">{reason} You can answer once. Whoever runs this server reads it.</p>
      <form onSubmit={send} className="mt-6 grid gap-5">
        <TextAreaField
          label="Your answer"
          required
          multiline
          compact
          value={text}
          maxLength={APPEAL_MAX}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <DialogButtons busy={appeal.isPending} disabled={text.trim() === ''} onClose={onClose}>
          Send
        </DialogButtons>
      </form>
    </Dialog>
  );
}
