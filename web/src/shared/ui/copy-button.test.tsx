/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInApp } from '../../../../test/web/render-in-app';
import { CopyButton } from './copy-button';

describe('CopyButton', () => {
  it('copies the text and says so', async () => {
    const { user } = renderInApp(<CopyButton text="Ten titles" copied="Copied!" failed="Failed" />);
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe('Ten titles');
    expect(await screen.findByText('Copied!')).toBeTruthy();
  });

  it('says that copying failed', async () => {
    const { user } = renderInApp(<CopyButton text="Ten titles" copied="Copied!" failed="Failed to copy" />);
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('Not allowed.'));
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Failed to copy')).toBeTruthy();
  });
});
