import { useEffect, useState } from 'react';
import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { drafts } from './drafts';

const stateSchema = z.looseObject({ fill: z.record(z.string(), z.unknown()) });

/** Fills in a form with what a link brings (its state's `fill`), keeps that as the draft, and moves the focus there. */
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
  // After the render that follows: the form has forgotten its fields until then.
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
    // A reload would fill it in again, over what was typed since.
    void navigate({ search }, { replace: true, state: others });
    // Each link once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
}
