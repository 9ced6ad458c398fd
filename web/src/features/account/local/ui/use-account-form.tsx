import { useEffect, useRef, type SubmitEvent } from 'react';
import { useForm, type FieldValues, type Path, type UseFormProps } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import type { z } from 'zod';
import { authErrorMessage, type Field } from '../api/auth-error-message';
import { AuthProblem, useRetryWait } from './auth-problem';
import { useAccountMutation } from './use-account-mutation';

interface AccountFormOptions<Values extends FieldValues, Result> extends Pick<
  UseFormProps<Values>,
  'defaultValues' | 'values' | 'resetOptions'
> {
  schema: z.ZodType<Values, Values>;
  /** Field to focus on mount. */
  focus?: Path<Values>;
  mutationFn: (values: Values) => Promise<Result>;
  onSuccess?: (result: Result, values: Values) => unknown;
}

/** State of a form that makes one account API call. An error appears at the field that it concerns, or else as `problem`. */
export function useAccountForm<Values extends FieldValues, Result>({
  schema,
  focus,
  mutationFn,
  onSuccess,
  ...options
}: AccountFormOptions<Values, Result>) {
  const methods = useForm<Values>({ resolver: zodResolver(schema), ...options });
  const { formState, getValues, handleSubmit, register, setError, setFocus } = methods;
  useEffect(() => {
    if (focus !== undefined) setFocus(focus);
  }, [setFocus, focus]);
  const fieldOf = (error: Error) =>
    authErrorMessage(error).fields?.find((name): name is Field & Path<Values> => name in getValues());
  const call = useAccountMutation<Result, Values>({
    mutationFn,
    onSuccess,
    onError: (error) => {
      const field = fieldOf(error);
      if (field) setError(field, { message: authErrorMessage(error).message }, { shouldFocus: true });
    },
  });
  const waiting = useRetryWait(call.error) > 0;
  /** Set synchronously, before the button renders as busy, so that a double click sends only one request. */
  const isSending = useRef(false);
  const send = async (values: Values) => {
    if (isSending.current) return;
    isSending.current = true;
    await call.mutateAsync(values).catch(() => undefined);
    isSending.current = false;
  };
  return {
    ...methods,
    call,
    field: (name: Path<Values>) => ({
      required: true,
      error: methods.getFieldState(name, formState).error?.message,
      ...register(name),
    }),
    formProps: {
      noValidate: true,
      onSubmit: (event: SubmitEvent) => void handleSubmit(send)(event),
    },
    submitProps: { type: 'submit', busy: call.isPending, waiting } as const,
    problem: call.error && fieldOf(call.error) === undefined ? <AuthProblem error={call.error} /> : null,
  };
}

export type AccountForm = Pick<
  ReturnType<typeof useAccountForm<FieldValues, unknown>>,
  'formProps' | 'submitProps' | 'problem'
>;
