import { describe, expect, it } from '@jest/globals';
import { coverCanvas, enlargeBox, placeCutOut, subjectBox } from './geometry';

const MANY = 25_000_000;
const image = { width: 400, height: 300 };
const subject = { left: 100, top: 50, width: 200, height: 100 };

describe('subjectBox', () => {
  it('surrounds the opaque pixels, without the faint rim', () => {
    const pixels = new Uint8ClampedArray(10 * 8 * 4);
    const set = (x: number, y: number, alpha: number) => (pixels[(y * 10 + x) * 4 + 3] = alpha);
    set(3, 2, 255);
    set(6, 5, 40);
    set(0, 7, 10);
    expect(subjectBox(pixels, { width: 10, height: 8 })).toEqual({ left: 3, top: 2, width: 4, height: 4 });
    expect(subjectBox(new Uint8ClampedArray(40), { width: 10, height: 1 })).toBeNull();
  });

  it('of a smaller copy is rounded outwards, and stays within the picture', () => {
    const box = { left: 1, top: 1, width: 9, height: 3 };
    expect(enlargeBox(box, 2.5, { width: 24, height: 40 })).toEqual({
      left: 2,
      top: 2,
      width: 22,
      height: 8,
    });
  });
});

describe('placeCutOut', () => {
  it('leaves the whole as it is', () => {
    expect(placeCutOut(image, subject, { framing: 'whole', margin: 30, size: null }, MANY)).toEqual({
      ...image,
      placement: { left: 0, top: 0, ...image, scale: 1 },
    });
  });

  it('crops to the subject with a margin of its longer side', () => {
    expect(placeCutOut(image, subject, { framing: 'subject', margin: 10, size: null }, MANY)).toEqual({
      ...{ width: 240, height: 140 },
      placement: { left: -80, top: -30, ...image, scale: 1 },
    });
  });

  it('fits the subject centred into a size, with its margin on the tighter sides', () => {
    const size = { width: 1000, height: 1000 };
    const { placement, ...canvas } = placeCutOut(
      image,
      subject,
      { framing: 'subject', margin: 10, size },
      MANY,
    );
    expect(canvas).toEqual(size);
    expect(placement.scale).toBe(4);
    // The subject has margins of 100 on the left and right, and is vertically centered.
    expect(placement.left + subject.left * 4).toBe(100);
    expect(placement.top + (subject.top + subject.height / 2) * 4).toBe(500);
  });

  it('uses the whole picture if there is no subject, and reduces large pictures', () => {
    const placed = placeCutOut(image, null, { framing: 'subject', margin: 10, size: null }, 30_000);
    expect([placed.width, placed.height]).toEqual([200, 150]);
    expect(placed.placement).toEqual({ left: 0, top: 0, width: 200, height: 150, scale: 0.5 });
  });
});

describe('coverCanvas', () => {
  it('fills the canvas from the middle', () => {
    expect(coverCanvas(image, { width: 300, height: 300 })).toEqual({
      ...{ left: -50, top: 0, width: 400, height: 300 },
    });
  });

  it('is aligned with the cut-out of the same picture', () => {
    const { placement, ...canvas } = placeCutOut(
      image,
      subject,
      { framing: 'subject', margin: 10, size: null },
      MANY,
    );
    expect(coverCanvas(image, canvas, placement)).toEqual({ left: -80, top: -30, ...image });
  });

  it('leaves no gap if the cut-out is small or near an edge', () => {
    const size = { width: 1000, height: 1000 };
    const { placement } = placeCutOut(
      image,
      { ...subject, left: 0 },
      { framing: 'whole', margin: 0, size },
      MANY,
    );
    const { left, top, width, height } = coverCanvas(image, size, placement);
    expect(Math.max(left, top)).toBeLessThanOrEqual(0);
    expect(Math.min(left + width, top + height)).toBeGreaterThanOrEqual(1000);
  });
});
