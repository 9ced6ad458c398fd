import { storageUse } from '../functions/storage-use.sql.js';
import { statements } from './migration.js';

/** Counts in the storage of a user also settings of creations, versions of texts, and texts as they were shared. */
export class StorageOfTexts1700000000038 extends statements(storageUse) {}
