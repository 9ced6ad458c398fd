import { useEffect, useState } from 'react';
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { drafts } from './drafts';

const stateSchema = z.looseObject({ fill: z.record(z.string(), z.unknown()) });

/**
 * When a link with the navigation state `fill` opens the form: fills in the values, stores them as draft, focuses a field.
 */
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
  // Focus only after the next render, until which `reset` has unregistered the fields.
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
    // Remove `fill` from the navigation state. Otherwise, a reload would fill in the form again and overwrite later input.
    void navigate({ search }, { replace: true, state: others });
    // Only after a navigation, not when other dependencies change.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
}
