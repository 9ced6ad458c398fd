import { expect, it } from '@jest/globals';
import type { Creation, OwnCreations } from '#libs/contract/creations.js';
import { merge } from './refresh-creations';

const filter = { search: '', type: '', tag: '', favourite: false, sort: 'newest' as const };
const made = (minute: number, changes: Partial<Creation> = {}) =>
  ({
    ...{ id: `${minute}`, type: 'article', tags: [], favourite: false },
    created_at: `2026-11-23T10:${minute}:00.000Z`,
    ...changes,
  }) as unknown as Creation;
const page = (...creations: Creation[]): OwnCreations => ({
  ...{ creations, nextCursor: null, counts: {}, tags: [] },
  total: 4,
});
const data = { pages: [page(made(50), made(40)), page(made(30), made(20))], pageParams: ['', 'a'] };
const ids = ({ pages }: typeof data) => pages.map(({ creations }) => creations.map(({ id }) => id));
const changes = (...entries: [string, Creation | null][]) => new Map(entries);

it('adds new creations at the start, with the new counts', () => {
  const merged = merge(data, { ...page(made(55), made(50)), total: 5 }, changes(), filter);
  expect(ids(merged)).toEqual([
    ['55', '50', '40'],
    ['30', '20'],
  ]);
  expect(merged.pages.map(({ total }) => total)).toEqual([5, 4]);
  expect(merged.pages[1]!.creations[0]).toBe(data.pages[1]!.creations[0]);
});

it('removes deleted creations, adds restored ones, and replaces changed ones', () => {
  const changed = changes(
    ['40', null],
    ['35', made(35)],
    ['15', made(15)],
    ['20', made(20, { name: 'New' })],
  );
  const merged = merge(data, page(made(50)), changed, filter);
  expect(ids(merged)).toEqual([
    ['50', '35'],
    ['30', '20', '15'],
  ]);
  expect(merged.pages[1]!.creations[1]).toMatchObject({ name: 'New' });
  const oldestFirst = { pages: [page(made(20), made(30)), page(made(40), made(50))], pageParams: ['', 'a'] };
  expect(ids(merge(oldestFirst, page(), changes(['35', made(35)]), { ...filter, sort: 'oldest' }))).toEqual([
    ['20', '30', '35'],
    ['40', '50'],
  ]);
});

it('removes creations that no longer match the filter, and adds none that only the server can match', () => {
  const favourites = { ...filter, favourite: true };
  expect(ids(merge(data, page(), changes(['50', made(50)]), favourites))[0]).toEqual(['40']);
  const searched = { ...filter, search: 'fox' };
  expect(ids(merge(data, page(), changes(['35', made(35)], ['50', made(50)]), searched))).toEqual(ids(data));
});
