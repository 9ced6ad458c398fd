import { expect, it } from '@jest/globals';
import { drawMask, paletteOf } from './mask-style';

const mask = { width: 4, height: 2, pixels: Uint8Array.of(0, 0, 255, 255, 0, 0, 255, 255) };
const bytes = (out: Uint32Array) => [...new Uint8Array(out.buffer)];
const grey = paletteOf('black-and-white', 'remove', [255, 200]);

it('draws a part of the pane, and nothing outside the picture', () => {
  const out = new Uint32Array(6);
  drawMask(mask, { scale: 1, x: 1, y: 0 }, { left: 0, top: 1, right: 6, bottom: 2 }, grey, out);
  const black = [0, 0, 0, 255];
  const white = [255, 255, 255, 255];
  expect(bytes(out)).toEqual([0, 0, 0, 0, ...black, ...black, ...white, ...white, 0, 0, 0, 0]);
});

it('shows the mean of the pixels under one screen pixel, and whole pixels when enlarged', () => {
  const small = new Uint32Array(1);
  const high = { width: 4, height: 4, pixels: Uint8Array.of(...mask.pixels, ...mask.pixels) };
  drawMask(high, { scale: 0.25, x: 0, y: 0 }, { left: 0, top: 0, right: 1, bottom: 1 }, grey, small);
  expect(bytes(small)).toEqual([128, 128, 128, 255]);
  const large = new Uint32Array(8);
  drawMask(mask, { scale: 2, x: 0, y: 0 }, { left: 0, top: 0, right: 8, bottom: 1 }, grey, large);
  expect(bytes(large).filter((_, i) => i % 4 === 0)).toEqual([0, 0, 0, 0, 255, 255, 255, 255]);
});

it('marks the removed area, or the area outside the selection', () => {
  const alphaOf = (purpose: 'remove' | 'keep', value: number) =>
    (paletteOf('red', purpose, [255, 200]).even[value] ?? 0) >>> 24;
  expect([alphaOf('remove', 0), alphaOf('remove', 255)]).toEqual([0, 153]);
  expect([alphaOf('keep', 0), alphaOf('keep', 255)]).toEqual([153, 0]);
  const { even, odd } = paletteOf('checkerboard', 'keep', [255, 200]);
  expect([even[0], odd[0], even[255], odd[255]]).toEqual([0xffffffff, 0xffc8c8c8, 0x00ffffff, 0x00c8c8c8]);
});
