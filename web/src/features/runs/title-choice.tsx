import { useState, type SyntheticEvent } from 'react';
import { z } from 'zod';
import { CHOSEN_TITLE_MAX, type Flow } from '#libs/contract/flows.js';
import type { Job } from '#libs/contract/jobs.js';
import { plainLine } from '#libs/contract/markdown.js';
import { useChooseTitle } from '../../modules/runs/flows/flow-calls';
import { SubmissionProblem } from '../../modules/runs/jobs/submission-problem';
import { Button } from '../../shared/ui/button';
import { RadioChips } from '../../shared/ui/radio-chips';
import { TextField } from '../../shared/ui/text-field';

const titlesSchema = z.object({ titles: z.array(z.string()) });

/** Lets the user choose, or write, the title under which a flow writes its article. */
export function TitleChoice({ flow, job }: { flow: Flow; job: Job }) {
  const choose = useChooseTitle();
  const suggested = (titlesSchema.safeParse(job.result).data?.titles ?? []).map(plainLine);
  const [title, setTitle] = useState(suggested[0] ?? '');
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (title.trim() !== '') choose.mutate({ id: flow.id, title: title.trim() });
  };
  return (
    <form onSubmit={submit} className="mt-5 grid gap-4">
      <RadioChips
        legend="Choose the title of the article"
        name={`title-${flow.id}`}
        value={title}
        options={suggested.map((value) => ({ value, label: value }))}
        onChange={setTitle}
        stacked
      />
      <TextField
        label="Title"
        hint="Change it, or write your own."
        value={title}
        maxLength={CHOSEN_TITLE_MAX}
        onChange={({ target }) => setTitle(target.value)}
      />
      {choose.error !== null && <SubmissionProblem error={choose.error} onRetry={submit} />}
      <Button
        type="submit"
        variant="primary"
        busy={choose.isPending}
        disabled={title.trim() === ''}
        className="sm:justify-self-start"
      >
        Write the article
      </Button>
    </form>
  );
}
