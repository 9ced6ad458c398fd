import { useLayoutEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { drafts } from './drafts';

/** Saves the values of a form as a draft. The form must take its default values from `drafts.read(name)`. */
export function useDraft<F extends FieldValues, C, T>(name: string, form: UseFormReturn<F, C, T>): void {
  const { subscribe } = form;
  // A layout effect, so that the first typed letter is stored too.
  useLayoutEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => drafts.write(name, values) }),
    [name, subscribe],
  );
}
