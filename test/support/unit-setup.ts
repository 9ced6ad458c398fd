import { build } from '../../scripts/stack/build.ts';

/** Builds the servers: threads run compiled code. */
export default async function setUp() {
  await build('servers');
}
