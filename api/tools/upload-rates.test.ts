import { expect, it } from '@jest/globals';
import { UploadRates } from './upload-rates.js';

const MB = 1024 * 1024;

/** Fake clock: a wait ends immediately and advances the time. */
const clock = {
  time: 0,
  elapsed: () => clock.time,
  after(milliseconds: number, run: () => void) {
    clock.time += milliseconds;
    run();
    return () => undefined;
  },
};

async function* file(bytes: number) {
  for (let sent = 0; sent < bytes; sent += MB) yield Buffer.alloc(MB);
}

it('reads the first files of each user at once, and later ones slowly', async () => {
  const rates = new UploadRates(clock);
  const secondsFor = async (userId: string, megabytes: number) => {
    const begun = clock.time;
    let bytes = 0;
    for await (const chunk of rates.limit(userId, file(megabytes * MB))) bytes += chunk.length;
    expect(bytes).toBe(megabytes * MB);
    return (clock.time - begun) / 1_000;
  };
  expect(await secondsFor('ada', 24)).toBe(0);
  expect(await secondsFor('ada', 40)).toBeCloseTo(5, 3);
  expect(await secondsFor('grace', 24)).toBe(0);
  clock.time += 10_000;
  expect(await secondsFor('ada', 24)).toBe(0);
});
