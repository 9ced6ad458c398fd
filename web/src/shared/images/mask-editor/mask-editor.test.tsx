/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, expect, it, jest } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { MaskDocument } from './mask-document';
import { MaskEditor } from './mask-editor';
import type { Point } from './rect';

beforeEach(() => {
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});

function open(onPoint?: (place: Point) => void) {
  const mask = new MaskDocument({ width: 200, height: 100 });
  render(<MaskEditor mask={mask} purpose="remove" picture="blob:a" label="Picture" onPoint={onPoint} />);
  const picture = screen.getByRole('application', { name: 'Picture' });
  const press = (key: string) => fireEvent.keyDown(picture, { key });
  return { mask, press };
}

it('asks for what is at a place by keys, and paints nothing', () => {
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

it('offers no click where nothing can be found', () => {
  const { mask, press } = open();
  expect(screen.queryByRole('radio', { name: 'Click' })).toBeNull();
  press('p');
  press('Enter');
  expect(mask.isEmpty).toBe(false);
});
