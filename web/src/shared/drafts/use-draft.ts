import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { drafts } from './drafts';

/** Keeps what is typed in a form over a reload. The form starts with `drafts.read(name)`. */
export function useDraft<F extends FieldValues, C, T>(name: string, form: UseFormReturn<F, C, T>): void {
  const { subscribe } = form;
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => drafts.write(name, values) }),
    [name, subscribe],
  );
}
