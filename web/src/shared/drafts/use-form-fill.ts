import { useEffect, useState } from 'react';
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { drafts } from './drafts';

const stateSchema = z.looseObject({ fill: z.record(z.string(), z.unknown()) });

/** Fills in a form from the state of a link (`fill`), stores the values as the draft, and moves the focus to a field. */
export function useFormFill<F extends FieldValues, C, T>(
  draft: string,
  form: UseFormReturn<F, C, T>,
  blank: DefaultValues<F>,
  field: FieldPath<F>,
): void {
  const location = useLocation();
  const { key, search } = location;
  const navigate = useNavigate();
  const state: unknown = location.state;
  const { reset, setFocus } = form;
  const [fills, setFills] = useState(0);
  // After the next render: `reset` unregisters the fields until then.
  useEffect(() => {
    if (fills > 0) setFocus(field);
  }, [fills, setFocus, field]);
  useEffect(() => {
    const link = stateSchema.safeParse(state).data;
    if (link === undefined) return;
    const { fill, ...others } = link;
    const values = { ...blank, ...fill };
    reset(values);
    drafts.write(draft, values);
    setFills((before) => before + 1);
    // Otherwise a reload would overwrite later input.
    void navigate({ search }, { replace: true, state: others });
    // Once for each navigation.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
}
