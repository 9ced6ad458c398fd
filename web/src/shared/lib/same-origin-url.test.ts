import { expect, it } from '@jest/globals';
import { sameOriginUrl } from './same-origin-url.js';

const page = (href: string) => new URL(href);

it.each([
  ['http://localhost:3000/files/a', 'http://localhost:3000/ai', '/files/a'],
  ['http://localhost:3000/files/a', 'http://127.0.0.1:3000/ai', '/files/a'],
  ['http://localhost:3000/c/1/image?v=2', 'http://[::1]:3000/ai', '/c/1/image?v=2'],
  ['/files/a', 'https://pressroom.example/ai', '/files/a'],
  ['http://localhost:4000/files/a', 'http://localhost:3000/ai', 'http://localhost:4000/files/a'],
  ['https://cdn.example/files/a', 'https://pressroom.example/ai', 'https://cdn.example/files/a'],
])('shows %s on %s as %s', (url, href, shown) => {
  expect(sameOriginUrl(url, page(href))).toBe(shown);
});
