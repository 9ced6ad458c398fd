import { useState, type FormEvent } from 'react';
import toast from 'react-hot-toast';
import { Globe } from 'lucide-react';
import { CAPTION_MAX, SHOWN_NAME_MAX, type Creation } from '#libs/contract/creations.js';
import { oneLine, shorten } from '#libs/contract/text.js';
import { useConfig } from '../../shared/account/read-config';
import { useAccount } from '../../shared/account/account-calls';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { Dialog } from '../../shared/ui/dialog';
import { DialogButtons } from '../../shared/ui/dialog-buttons';
import { TextAreaField } from '../../shared/ui/text-area-field';
import { TextField } from '../../shared/ui/text-field';
import { usePublishCreation } from '../creations/api/change-creation';

interface PublishDialogProps {
  creation: Creation;
  onClose: () => void;
}

/** Shows what everyone will see of an image, and lets its user change the words before it is published. */
export function PublishDialog({ creation, onClose }: PublishDialogProps) {
  const { id, prompt, thumbnail, content } = creation;
  const account = useAccount().data;
  const ownName = account?.profile.fullName ?? '';
  const [caption, setCaption] = useState(() => shorten(oneLine(prompt), CAPTION_MAX));
  const [chosenName, setName] = useState<string | null>(null);
  const name = chosenName ?? ownName;
  const isReviewed = useConfig().data?.publishing === 'review';
  const change = usePublishCreation();
  const publish = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      {
        ...{ id, publish: true, caption: caption.trim() },
        ...(name.trim() !== ownName && { author: name.trim() }),
      },
      {
        onSuccess: ({ creation: { published } }) => {
          toast.success(
            published ? 'Published in the community' : 'Waiting for review. Its page says when it is public.',
          );
          onClose();
        },
        onError: ({ message }) => toast.error(message),
      },
    );
  };
  return (
    <Dialog label="Publish this image" wide onClose={onClose}>
      <h2 className="pr-10 text-2xl">Publish this image</h2>
      <p className="mt-2 text-quiet">
        Everyone can see the image with this caption and name, in the community and at its own address. You
        can unpublish it at any time.
        {isReviewed && ' Whoever runs this server looks at it first.'}
      </p>
      <form onSubmit={publish} className="mt-6 grid gap-5">
        <img
          src={sameOriginUrl(thumbnail ?? content)}
          alt=""
          className="checker max-h-48 max-w-full justify-self-start rounded-control"
        />
        <TextAreaField
          label="Caption"
          hint="From your prompt or file name. Change it if it says too much."
          value={caption}
          maxLength={CAPTION_MAX}
          onChange={({ currentTarget }) => setCaption(currentTarget.value)}
        />
        <TextField
          label="Shown name"
          hint={name.trim() === ownName ? undefined : 'Your profile picture is not shown with another name.'}
          value={name}
          maxLength={SHOWN_NAME_MAX}
          autoComplete="off"
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <DialogButtons
          busy={change.isPending}
          disabled={caption.trim() === '' || name.trim() === ''}
          onClose={onClose}
        >
          {!change.isPending && <Globe aria-hidden="true" className="size-4" />}
          Publish
        </DialogButtons>
      </form>
    </Dialog>
  );
}
