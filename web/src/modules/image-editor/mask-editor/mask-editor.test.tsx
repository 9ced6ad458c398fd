/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, expect, it, jest } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MaskDocument } from './mask-document';
import { MaskEditor } from './mask-editor';
import type { Point } from './rect';

beforeEach(() => {
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});

function open(onPoint?: (place: Point) => void, width = 200) {
  const mask = new MaskDocument({ width, height: 100 });
  render(<MaskEditor mask={mask} purpose="remove" picture="blob:a" label="Picture" onPoint={onPoint} />);
  const picture = screen.getByRole('application', { name: 'Picture' });
  const press = (key: string) => fireEvent.keyDown(picture, { key });
  return { mask, press };
}

it('requests the object at a point by keys, without painting', () => {
  const places: Point[] = [];
  const { mask, press } = open((place) => places.push(place));
  press('p');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Click' }).checked).toBe(true);
  press('Enter');
  press('ArrowLeft');
  press('ArrowLeft');
  press('ArrowUp');
  press('Enter');
  expect(places).toEqual([
    { x: 0.5, y: 0.5 },
    { x: 0.475, y: 0.475 },
  ]);
  expect(mask.isEmpty).toBe(true);
});

it('offers no click tool if detection is unavailable', () => {
  const { mask, press } = open();
  expect(screen.queryByRole('radio', { name: 'Click' })).toBeNull();
  press('p');
  press('Enter');
  expect(mask.isEmpty).toBe(false);
});

it('takes keys while another of its controls has the focus', () => {
  const mask = new MaskDocument({ width: 200, height: 100 });
  render(
    <div role="dialog">
      <MaskEditor mask={mask} purpose="remove" picture="blob:a" label="Picture" />
      <button>Close</button>
      <input aria-label="Name" />
    </div>,
  );
  const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
  fireEvent.keyDown(screen.getByRole('button', { name: 'Close' }), { key: 'e' });
  expect(radio('Erase').checked).toBe(true);
  fireEvent.keyDown(radio('Erase'), { key: 'r' });
  expect(radio('Box').checked).toBe(true);
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'k' });
  fireEvent.keyDown(screen.getByRole('button', { name: 'Close' }), { key: 'Enter' });
  expect([radio('Erase').checked, mask.isEmpty]).toEqual([true, true]);
});

it('only erases if nothing can be restored', () => {
  const pixels = new Uint8Array(200 * 100).fill(255);
  const mask = new MaskDocument({ width: 200, height: 100 }, pixels);
  render(<MaskEditor mask={mask} purpose="keep" picture="blob:a" label="Picture" canAdd={false} />);
  const picture = screen.getByRole('application', { name: 'Picture' });
  const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
  expect([radio('Keep').disabled, radio('Keep').checked, radio('Erase').checked]).toEqual([
    true,
    false,
    true,
  ]);
  for (const key of ['k', 'Enter']) fireEvent.keyDown(picture, { key });
  expect(radio('Erase').checked).toBe(true);
  expect(mask.pixels[50 * 200 + 100]).toBe(0);
  fireEvent.keyDown(picture, { key: 'z', ctrlKey: true });
  expect(mask.pixels[50 * 200 + 100]).toBe(255);
});

it('draws only with the pen while the palm rests on the picture', () => {
  const { mask } = open(undefined, 100);
  const picture = screen.getByRole('application', { name: 'Picture' });
  // jsdom has no PointerEvent, so add its fields to a generic event.
  const fire = (type: string, pointerType: string, pointerId: number) =>
    fireEvent(
      picture,
      Object.assign(new MouseEvent(`pointer${type}`, { bubbles: true }), { pointerType, pointerId }),
    );
  const paints = jest.fn();
  mask.onPaint(paints);
  fire('down', 'touch', 2);
  fire('down', 'pen', 1);
  paints.mockClear();
  fire('move', 'touch', 2);
  fire('down', 'touch', 3);
  fire('up', 'touch', 2);
  fire('up', 'touch', 3);
  expect([paints.mock.calls.length, mask.steps]).toEqual([0, 0]);
  fire('up', 'pen', 1);
  expect(mask.steps).toBe(1);
});

it('announces a started box, and submits no form by Enter in its bar', async () => {
  const [onBox, onSubmit] = [jest.fn(), jest.fn()];
  const mask = new MaskDocument({ width: 200, height: 100 });
  render(
    <form onSubmit={onSubmit}>
      <MaskEditor mask={mask} purpose="keep" picture="blob:a" label="Picture" onBox={onBox} />
      <button>Send</button>
    </form>,
  );
  const picture = screen.getByRole('application', { name: 'Picture' });
  for (const key of ['r', 'Enter']) fireEvent.keyDown(picture, { key });
  expect(onBox).toHaveBeenLastCalledWith(true);
  fireEvent.keyDown(picture, { key: 'Escape' });
  expect(onBox).toHaveBeenLastCalledWith(false);
  const user = userEvent.setup();
  await user.type(screen.getByRole('slider', { name: 'Brush size' }), '{Enter}');
  await user.type(screen.getByRole('radio', { name: 'Box' }), '{Enter}');
  expect(onSubmit).not.toHaveBeenCalled();
});
