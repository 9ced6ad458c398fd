import { expect, it } from '@jest/globals';
import { fitView, panBy, reveal, toPane, toPicture, zoomAt } from './view';

const picture = { width: 4000, height: 3000 };
const pane = { width: 400, height: 400 };

it('shows the whole picture in the middle', () => {
  expect(fitView(picture, pane)).toEqual({ scale: 0.1, x: 0, y: 50 });
});

it('zooms around a point, which does not move', () => {
  const at = { x: 120, y: 210 };
  const before = zoomAt(fitView(picture, pane), 8, { x: 200, y: 200 }, picture, pane);
  const after = zoomAt(before, 2, at, picture, pane);
  expect(after.scale).toBeCloseTo(1.6);
  expect(toPicture(after, at).x).toBeCloseTo(toPicture(before, at).x);
  expect(toPicture(after, at).y).toBeCloseTo(toPicture(before, at).y);
});

it('limits the zoom in both directions', () => {
  const whole = fitView(picture, pane);
  expect(zoomAt(whole, 0.2, { x: 10, y: 10 }, picture, pane)).toEqual(whole);
  expect(zoomAt(whole, 1e6, { x: 10, y: 10 }, picture, pane).scale).toBe(16);
});

it('leaves no empty space around a moved picture', () => {
  const view = zoomAt(fitView(picture, pane), 4, { x: 0, y: 0 }, picture, pane);
  expect(panBy(view, { x: 5000, y: 5000 }, picture, pane)).toMatchObject({ x: 0, y: 0 });
  const far = panBy(view, { x: -5000, y: -5000 }, picture, pane);
  expect(toPane(far, { x: 4000, y: 3000 })).toEqual({ x: 400, y: 400 });
});

it('scrolls only to a point outside the pane', () => {
  const view = zoomAt(fitView(picture, pane), 10, { x: 0, y: 0 }, picture, pane);
  expect(reveal(view, toPicture(view, { x: 200, y: 200 }), 40, picture, pane)).toBe(view);
  const moved = reveal(view, toPicture(view, { x: 450, y: 200 }), 40, picture, pane);
  expect(moved.x).toBeCloseTo(view.x - 90);
});
