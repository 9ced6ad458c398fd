import type { Page } from 'playwright-core';

type Point = readonly [x: number, y: number];

/** One or two fingers on a page. The browser itself recognises the gestures. */
export interface Touch {
  /** Moves from one point to another, and lifts. */
  drag(from: Point, to: Point): Promise<void>;
  /** Two fingers side by side, the left one from and to these places. */
  dragTwo(from: Point, to: Point): Promise<void>;
  /** Two fingers move from a point to both sides, until they are so far apart. */
  spread(from: Point, apart: number): Promise<void>;
  tap(at: Point): Promise<void>;
}

const STEPS = 8;
const APART = 60;

/** Emulates a touch screen; load the page afterwards. */
export async function emulateTouch(page: Page): Promise<Touch> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  const move = async (from: Point, to: Point, fingers: (at: Point) => Point[]) => {
    const step = (number: number) => {
      const part = number / STEPS;
      return touch(
        'touchMove',
        fingers([from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]),
      );
    };
    // Sent at once: a finger that rests for half a second presses long.
    await Promise.all([touch('touchStart', fingers(from)), step(1)]);
    for (let number = 2; number <= STEPS; number += 1) await step(number);
    await touch('touchEnd', []);
  };
  return {
    drag: (from, to) => move(from, to, (at) => [at]),
    dragTwo: (from, to) => move(from, to, (at) => [at, [at[0] + APART, at[1]]]),
    spread: (from, apart) =>
      move([from[0], APART / 2], [from[0], apart / 2], ([x, half]) => [
        [x - half, from[1]],
        [x + half, from[1]],
      ]),
    tap: async (at) => void (await Promise.all([touch('touchStart', [at]), touch('touchEnd', [])])),
  };
}
