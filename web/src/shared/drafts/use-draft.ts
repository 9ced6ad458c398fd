import { useLayoutEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { drafts } from './drafts';

/** Saves a form's values as a draft on each change. The form must take its default values from `drafts.read(name)`. */
export function useDraft<F extends FieldValues, C, T>(name: string, form: UseFormReturn<F, C, T>): void {
  const { subscribe } = form;
  // A layout effect, so that the subscription exists before the user types the first character.
  useLayoutEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => drafts.write(name, values) }),
    [name, subscribe],
  );
}
