import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { filesIn } from '../support/files-in.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { RunningProduct } from './running-product.ts';

allowTimeForPrograms();

let database: TestDatabase;
let product: RunningProduct;
beforeAll(async () => {
  database = await testDatabase();
  product = await RunningProduct.start({ databaseUrl: database.url });
});
afterAll(async () => {
  await product.close();
  await database.drop();
});

const spooled = () => filesIn(join(product.folder, 'uploads'));

it('a worker deletes unfinished uploads of a killed api, without a new api', async () => {
  const ada = await product.user();
  const [api] = product.apis;
  const upload = request(`${api!.address}/api/ai/resume-review`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'multipart/form-data; boundary=b' },
  });
  upload.on('error', () => undefined);
  upload.write(
    '--b\r\nContent-Disposition: form-data; name="resume"; filename="cv.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7 private words',
  );
  await until('the file to be on its way', () => spooled().length === 1);
  await api!.kill('SIGKILL');
  expect(spooled()).toHaveLength(1);
  await until('the worker to delete it', () => spooled().length === 0, { seconds: 120, every: 250 });
});
