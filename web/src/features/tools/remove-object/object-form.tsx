import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import toast from 'react-hot-toast';
import { z } from 'zod';
import { sizeHint } from '#libs/contract/limits.js';
import { bareObjectName } from '#libs/contract/object-mask.js';
import { objectInputSchema } from '#libs/tools/remove-image-object/contract.js';
import { BatchOffer } from '../../../modules/runs/batches/batch-offer';
import { useConfig } from '../../../shared/account/read-config';
import { imageOf, useFileChoice } from '../../../modules/submission/files/use-file-choice';
import type { EditorFormProps } from '../../../modules/image-editor/image-editor-page';
import { useKeepMetadata } from '../../../modules/image-editor/keep-metadata';
import { FileField } from '../../../modules/submission/files/file-field';
import { PremiumNotice, useNeedsPremium } from '../../../modules/runs/jobs/premium-notice';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { useSubmission } from '../../../modules/submission/form/use-submission';
import { TextField } from '../../../shared/ui/text-field';
import { useDraft } from '../../../shared/drafts/use-draft';
import { drafts } from '../../../shared/drafts/drafts';
import { maskPng } from '../../../modules/image-editor/mask-editor/mask-draft';
import { MaskEditor } from '../../../modules/image-editor/mask-editor/mask-editor';
import { FoundObjects, SearchStatus } from './found-objects';
import { ClickMarker, ObjectMarkers } from './object-markers';
import { useFoundMask } from './use-found-mask';
import { useObjectMask } from './use-object-mask';

const DRAFT = 'remove-object';
const draftSchema = z.object({ object: z.string() });
const formSchema = objectInputSchema.pick({ object: true });

export function ObjectForm({ onSubmitted, onCleared }: EditorFormProps) {
  const image = useFileChoice(DRAFT, 'image');
  const { file, source } = image;
  const mask = useObjectMask(file, source);
  const form = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: draftSchema.safeParse(drafts.read(DRAFT)).data ?? { object: '' },
  });
  useDraft(DRAFT, form);
  const metadata = useKeepMetadata();
  const [many, setMany] = useState<readonly File[] | null>();
  const needsPremium = useNeedsPremium();
  const submission = useSubmission('remove-image-object', {
    onSubmitted: (job, sent) => file !== null && onSubmitted(job, file, sent),
    onFieldError: { image: image.reject, object: (message) => form.setError('object', { message }) },
  });
  const byName = useConfig().data?.objectsByName !== false;
  const name = byName ? bareObjectName(form.watch('object') ?? '') : '';
  const search = useFoundMask(file, source, name);
  const { found } = search;
  const painted = mask !== null && !mask.isEmpty;
  const clicked = painted ? mask.found?.clicked : undefined;
  const canClick = byName && !needsPremium;

  useEffect(() => {
    if (mask !== null && found !== null) mask.setFound(found.pixels);
  }, [mask, found]);
  useEffect(() => {
    if (mask !== null && mask.found !== null && mask.found.name !== name) mask.setFound(null);
  }, [mask, name]);

  const showMask = form.handleSubmit(
    ({ object = '' }) => search.search(object),
    ({ object }) => object?.message !== undefined && toast.error(object.message),
  );
  const submit = form.handleSubmit(
    async (input) => {
      if (file === null || needsPremium) return;
      const sent = imageOf(file, source);
      try {
        submission.send({
          input: { ...input, ...metadata.input, object: clicked ?? name, ...sent.input },
          files: painted ? { ...sent.files, mask: await maskPng(mask) } : sent.files,
        });
      } catch (error) {
        toast.error(error instanceof Error ? error.message : 'The mask could not be created.');
      }
    },
    ({ object }) => object?.message !== undefined && toast.error(object.message),
  );

  if (many)
    return (
      <div className="grid gap-6">
        <PremiumNotice />
        <TextField
          label="Object to Remove"
          placeholder="watch"
          hint="One object name: it is removed from every picture"
          autoCapitalize="none"
          error={form.formState.errors.object?.message}
          {...form.register('object')}
        />
        {metadata.field}
        <BatchOffer
          tool="remove-image-object"
          files={many}
          readInput={() =>
            new Promise(
              (resolve) =>
                void form.handleSubmit(
                  (input) => resolve({ ...input, ...metadata.input }),
                  () => resolve(null),
                )(),
            )
          }
          disabled={needsPremium || name === ''}
          onClose={() => setMany(null)}
        />
      </div>
    );
  return (
    <form onSubmit={submit} noValidate aria-label="Image and object" className="grid gap-6">
      <PremiumNotice />
      <FileField
        label="Image"
        hint={`PNG, JPG, JPEG (MAX. ${sizeHint('image')})`}
        choice={image}
        onRemove={onCleared}
        // When the user clicks "Choose again", this field replaces the clicked button, so the field takes the focus.
        focusOnMount={many === null}
        // Batches can only search by name, not by painted masks.
        onMany={byName ? setMany : undefined}
        preview={(url) =>
          mask === null ? null : (
            <MaskEditor
              key={url}
              mask={mask}
              purpose="remove"
              picture={url}
              label="Paint over the object"
              onPoint={canClick ? search.searchAt : undefined}
              note={canClick && <SearchStatus search={search.clickedAt === null ? null : search} />}
            >
              {search.searching && search.clickedAt !== null && <ClickMarker at={search.clickedAt} />}
              {found !== null && (
                <ObjectMarkers
                  objects={found.preview.objects}
                  choice={search.choice}
                  onChoose={search.choose}
                />
              )}
            </MaskEditor>
          )
        }
      />
      {byName ? (
        <TextField
          label="Object to Remove"
          placeholder={
            painted && (mask.found === null || clicked !== undefined)
              ? 'Optional: you painted an area'
              : 'watch'
          }
          hint={
            mask === null
              ? 'Enter only one object name to remove'
              : 'Enter only one object name to remove, or use Click above'
          }
          autoCapitalize="none"
          error={form.formState.errors.object?.message}
          {...form.register('object')}
        />
      ) : (
        <p className="text-sm text-quiet">Paint over the object. Search by name is not available here.</p>
      )}
      {file !== null && name !== '' && (
        <FoundObjects
          search={search}
          onSearch={() => void showMask()}
          onHide={() => {
            search.clear();
            mask?.setFound(null);
          }}
          disabled={needsPremium}
        />
      )}
      {file !== null && metadata.field}
      <SubmitSection
        // The form is also busy while the mask is encoded, before the request is sent.
        submission={{ ...submission, sending: submission.sending || form.formState.isSubmitting }}
        disabled={file === null || (name === '' && !painted) || needsPremium}
      >
        Remove Object
      </SubmitSection>
    </form>
  );
}
