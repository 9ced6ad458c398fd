import type { ModelEntry } from './catalogue.js';
import licences from './licences.json' with { type: 'json' };

/** The text of the LICENSE file in a model's folder. */
export const licenceText = ({ title, licence: { id, holder } }: ModelEntry): string =>
  `${licences[id].join('\n')}\n`.replace('{title}', () => title).replace('{holder}', () => holder);
