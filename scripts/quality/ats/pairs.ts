import { z } from 'zod';
import { readYaml } from '../../stack/read-yaml.ts';

const text = z.string();

export const atsPairs = readYaml(
  new URL('pairs.yaml', import.meta.url),
  z.array(z.object({ profession: text, job: text, strong: text, partial: text })),
);
