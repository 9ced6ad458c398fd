import { statements } from './migration.js';

/** Image operations that the connected AI service does not have, so that jobs use the models of this server. */
export class ImageSupport1700000000043 extends statements(
  `CREATE TABLE lacking_image_operations (
  service text NOT NULL,
  operation text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (service, operation)
)`,
) {}
