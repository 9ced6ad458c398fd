import { z } from 'zod';
import { readFixture } from '../fixture.ts';

const text = z.string();

export const atsPairs = readFixture(
  new URL('pairs.yaml', import.meta.url),
  z.array(z.object({ profession: text, job: text, strong: text, partial: text })),
);
