import { statements } from './migration.js';

/** The name of the model that made a creation. */
export class CreationModels1700000000017 extends statements(`ALTER TABLE creations ADD COLUMN model text`) {}
