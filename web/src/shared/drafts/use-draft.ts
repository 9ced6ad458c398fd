import { useLayoutEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { drafts } from './drafts';

/** Saves a form's values as a draft. The form must take its default values from `drafts.read(name)`. */
export function useDraft<F extends FieldValues, C, T>(name: string, form: UseFormReturn<F, C, T>): void {
  const { subscribe } = form;
  // Before the form is drawn, so that the first letter is kept too.
  useLayoutEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => drafts.write(name, values) }),
    [name, subscribe],
  );
}
