/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { FileKind } from '#libs/contract/limits.js';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import { fileDrafts } from '../../../shared/drafts/file-drafts';
import { FileField } from './file-field';
import { useFileChoice } from './use-file-choice';

const pdf = new File(['%PDF-1.7'], 'resume.pdf', { type: 'application/pdf' });
const photo = new File(['photo'], 'photo.png', { type: 'image/png' });
const text = new File(['text'], 'notes.txt', { type: 'text/plain' });

function Form({ kind, onRemove }: { kind: FileKind; onRemove?: () => void }) {
  const choice = useFileChoice('test', kind);
  return (
    <>
      <FileField label="Your file" hint="Up to 5 MB" choice={choice} onRemove={onRemove} />
      <button onClick={() => choice.reject('The server cannot read this file.')}>Send</button>
    </>
  );
}

const input = () => screen.getByLabelText<HTMLInputElement>('Your file');

describe('FileField', () => {
  it.each([
    ['pdf', pdf, 'resume.pdf', 'Remove resume.pdf'],
    ['image', photo, 'photo.png', 'Remove image'],
  ] as const)('takes and removes a chosen %s', async (kind, file, name, remove) => {
    const onRemove = jest.fn();
    const { user } = renderInApp(<Form kind={kind} onRemove={onRemove} />);
    await user.upload(input(), file);
    expect(await screen.findByTitle(name)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: remove }));
    expect(screen.queryByTitle(name)).toBeNull();
    expect(onRemove).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['pdf', pdf, 'resume.pdf'],
    ['image', photo, 'photo.png'],
  ] as const)('takes a dropped %s', async (kind, file, name) => {
    renderInApp(<Form kind={kind} />);
    fireEvent.drop(input(), { dataTransfer: { files: [file] } });
    expect(await screen.findByTitle(name)).toBeTruthy();
  });

  it('accepts a pasted image', async () => {
    const { user } = renderInApp(<Form kind="image" />);
    await user.tab();
    expect(document.activeElement).toBe(input());
    fireEvent.paste(input(), { clipboardData: { files: [photo] } });
    expect(await screen.findByTitle('photo.png')).toBeTruthy();
  });

  it('shows that a file can be dropped', () => {
    renderInApp(<Form kind="image" />);
    fireEvent.dragOver(input());
    expect(screen.getByText('Drop your image here')).toBeTruthy();
    fireEvent.dragLeave(input());
    expect(screen.getByText('Click or drag an image here')).toBeTruthy();
  });

  it('rejects another type of file, and does not fall back to the file before', async () => {
    const { user } = renderInApp(<Form kind="pdf" />);
    await user.upload(input(), pdf);
    await screen.findByTitle('resume.pdf');
    fireEvent.drop(input(), { dataTransfer: { files: [text] } });
    const message = await screen.findByRole('alert');
    expect(message.textContent).toMatch(/^“notes.txt” cannot be used/);
    expect(input().getAttribute('aria-describedby')).toBe(message.id);
    expect(input().getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByTitle('resume.pdf')).toBeNull();
  });

  it('shows the message of the server until another file is chosen', async () => {
    const { user } = renderInApp(<Form kind="pdf" />);
    await user.upload(input(), pdf);
    await screen.findByTitle('resume.pdf');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(screen.getByRole('alert').textContent).toBe('The server cannot read this file.');
    await user.upload(input(), pdf);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('opens the file dialog by keyboard', async () => {
    const { user } = renderInApp(<Form kind="pdf" />);
    const open = jest.spyOn(input(), 'click').mockReturnValue();
    await user.tab();
    await user.keyboard('{Enter}');
    expect(open).toHaveBeenCalledTimes(1);
  });
});

describe("a creation's picture that cannot be fetched", () => {
  const api = stubApi();
  const ID = '11111111-1111-4111-8111-111111111111';
  const show = (answer: Response, retry: boolean) => {
    jest.spyOn(fileDrafts, 'read').mockResolvedValue(photo);
    api.on(`GET /api/user/creations/${ID}`, answer);
    return renderInApp(<Form kind="image" />, { path: `/?creation=${ID}`, retry });
  };

  it.each([
    ['is tried again', failure('INTERNAL', 'Down.'), true, /could not be loaded/],
    ['was deleted', failure('NOT_FOUND', 'Gone.'), false, /no longer exists/],
  ])('%s, and no other picture replaces it', async (_what, answer, retry, message) => {
    const { user } = show(answer, retry);
    expect((await screen.findByRole('alert')).textContent).toMatch(message);
    expect(screen.queryByTitle('photo.png')).toBeNull();
    await user.upload(input(), photo);
    expect(await screen.findByTitle('photo.png')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
