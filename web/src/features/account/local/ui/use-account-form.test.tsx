/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { z } from 'zod';
import { renderInApp } from '../../../../../../test/web/render-in-app';
import { stubApi } from '../../../../../../test/web/stub-api';
import { useAccountForm } from './use-account-form';

stubApi();

const schema = z.object({ name: z.string().min(1, 'Enter a name.') });

function NameForm({ save }: { save: (values: z.infer<typeof schema>) => Promise<void> }) {
  const { formProps } = useAccountForm({ schema, defaultValues: { name: 'Ada' }, mutationFn: save });
  return <form {...formProps} aria-label="Name" />;
}

it('sends a form once when it is submitted twice, and again after a failure', async () => {
  const save = jest.fn(() => Promise.reject<void>(new Error('The name cannot be saved.')));
  renderInApp(<NameForm save={save} />);
  await act(async () => {
    fireEvent.submit(screen.getByRole('form'));
    fireEvent.submit(screen.getByRole('form'));
  });
  expect(save).toHaveBeenCalledTimes(1);
  await act(async () => void fireEvent.submit(screen.getByRole('form')));
  expect(save).toHaveBeenCalledTimes(2);
});
