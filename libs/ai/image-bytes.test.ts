import { afterEach, expect, it, jest } from '@jest/globals';
import { readImageBytes } from './image-bytes.js';

const { signal } = new AbortController();
const config = { baseUrl: 'https://api.example.com/v1', apiKey: 'sk-1', imageHosts: ['images.example.com'] };
afterEach(() => void jest.restoreAllMocks());

it('fetches pictures from the hosts that the operator named, without the key', async () => {
  const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('picture'));
  for (const url of ['https://images.example.com/1.png', '/made/1.png'])
    expect(String(await readImageBytes({ url }, config, signal))).toBe('picture');
  expect(fetched.mock.calls.map(([url, init]) => [(url as URL).href, init?.headers, init?.redirect])).toEqual(
    [
      ['https://images.example.com/1.png', {}, 'error'],
      ['https://api.example.com/made/1.png', { authorization: 'Bearer sk-1' }, 'error'],
    ],
  );
});

it.each([
  'http://images.example.com/1.png',
  'https://images.example.com:8443/1.png',
  'https://images.example.com.evil.test/1.png',
  'https://user@169.254.169.254/latest',
  '//10.0.0.1/1.png',
  'file:///etc/passwd',
])('fetches nothing from %s', async (url) => {
  const fetched = jest.spyOn(globalThis, 'fetch');
  await expect(readImageBytes({ url }, config, signal)).rejects.toMatchObject({
    message: expect.stringContaining('AI_IMAGE_HOSTS'),
    retryable: false,
  });
  expect(fetched).not.toHaveBeenCalled();
});
