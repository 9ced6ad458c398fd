/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { stubApi } from '../../../../../test/web/stub-api';
import { LanguageFaults } from './language-faults';

stubApi();

const fault = {
  kind: 'grammar' as const,
  quote: 'was',
  context: 'But we was late.',
  message: 'Make the verb agree with its subject.',
  suggestions: ['were'],
  line: 3,
};

describe('LanguageFaults', () => {
  it('shows each fault with its place and a suggestion, for export separate from the text', async () => {
    renderInApp(<LanguageFaults proofreading={{ faults: [fault], isWhole: true }} title="A text" />);
    expect(await screen.findByRole('heading', { name: 'Spelling and grammar (1)' })).toBeTruthy();
    expect(screen.getByText('was').tagName).toBe('DEL');
    expect(screen.getByText('were').tagName).toBe('INS');
    expect(screen.getByText(/Line 3: “But we was late.” Make the verb agree/)).toBeTruthy();
    expect(screen.getByRole('button', { name: /export/i })).toBeTruthy();
  });

  it('says that there are no faults, or that nothing was checked', async () => {
    renderInApp(<LanguageFaults proofreading={{ faults: [], isWhole: false }} title="A text" />);
    expect(await screen.findByText(/No problems found/)).toBeTruthy();
    expect(screen.getByText(/Only the first part/)).toBeTruthy();
    renderInApp(<LanguageFaults proofreading={null} title="A text" />);
    expect(await screen.findByText(/were not checked/)).toBeTruthy();
  });
});
