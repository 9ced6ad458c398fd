import { useId, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fileKinds, PICTURE_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { accountRoutes } from '#libs/contract/routes/account.js';
import { call } from '../../../../shared/http/call';
import { queryKeys } from '../../../../shared/http/query-keys';
import { useHttp } from '../../../../shared/account/use-http';
import { Avatar } from '../../../../shared/ui/avatar';
import { Button, buttonClass } from '../../../../shared/ui/button';
import { checkFile } from '../../../../shared/lib/check-file';
import { useFilePicker } from '../../../../modules/submission/files/use-file-picker';
import { useObjectUrl } from '../../../../shared/lib/use-object-url';
import type { SignedInUser } from '../../../../shared/account/accounts';

const LIMITS = `PNG, JPEG or WebP, up to ${fileKinds.picture.maxSize} and ${PICTURE_MAX_MEGAPIXELS} megapixels. It is cropped to a square.`;

export function PictureField({ user }: { user: SignedInUser }) {
  const http = useHttp();
  const queries = useQueryClient();
  const id = useId();
  const [chosen, setChosen] = useState<File | null>(null);
  const [fileError, setFileError] = useState<string | null>(null);
  const preview = useObjectUrl(chosen);
  const change = useMutation({
    mutationFn: async (picture: File | null) => {
      if (picture === null) return call(http, accountRoutes.removePicture, {});
      const body = new FormData();
      body.append('picture', picture);
      return call(http, accountRoutes.setPicture, { body });
    },
    // useProfileSync copies the new picture from this query to the session.
    onSuccess: (account) => {
      queries.setQueryData(queryKeys.account, account);
      setChosen(null);
      picker.focus();
    },
  });
  const problem = fileError ?? change.error?.message;

  const choose = (file: File) => {
    change.reset();
    const error = checkFile('picture', file);
    setFileError(error);
    if (error === null) setChosen(file);
  };
  const picker = useFilePicker({ kind: 'picture', disabled: change.isPending, onPick: choose });
  const discard = () => {
    change.reset();
    setFileError(null);
    setChosen(null);
    picker.focus();
  };

  return (
    <div {...picker.areaProps} className="flex items-center gap-4 sm:gap-5">
      {preview === null ? (
        <Avatar
          name={user.fullName}
          imageUrl={user.imageUrl}
          className="size-16 text-xl sm:size-20 sm:text-2xl"
        />
      ) : (
        <img
          src={preview}
          alt="Preview"
          className="size-16 shrink-0 rounded-full object-cover sm:size-20"
          onError={() => {
            setChosen(null);
            setFileError('This image is damaged. Choose another one.');
          }}
        />
      )}
      <div className="min-w-0">
        <div className="flex flex-wrap gap-2">
          <span className={chosen === null ? '' : 'sr-only'}>
            <input
              {...picker.inputProps}
              id={id}
              aria-describedby={`${id}-hint`}
              aria-invalid={problem !== undefined || undefined}
              className="peer sr-only"
            />
            <label
              htmlFor={id}
              className={`${buttonClass('plain', 'small')} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-live hover:bg-tint`}
            >
              Choose picture
            </label>
          </span>
          {chosen !== null && (
            <>
              <Button
                size="small"
                variant="primary"
                busy={change.isPending}
                onClick={() => change.mutate(chosen)}
              >
                Save picture
              </Button>
              <Button size="small" variant="quiet" disabled={change.isPending} onClick={discard}>
                Cancel
              </Button>
            </>
          )}
          {chosen === null && user.imageUrl !== null && (
            <Button size="small" variant="quiet" busy={change.isPending} onClick={() => change.mutate(null)}>
              Remove
            </Button>
          )}
        </div>
        <p
          id={`${id}-hint`}
          role={problem === undefined ? undefined : 'alert'}
          className={`mt-2 text-sm ${problem === undefined ? 'text-quiet' : 'font-medium text-danger'}`}
        >
          {problem ?? LIMITS}
        </p>
      </div>
    </div>
  );
}
