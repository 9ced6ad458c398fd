/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { BrowserRouter } from 'react-router-dom';
import { useCreationFilter } from './use-creation-filter';

it('applies both of two changes within one render', () => {
  window.history.replaceState(null, '', '/?q=garden&type=image&all=');
  const { result } = renderHook(useCreationFilter, { wrapper: BrowserRouter });
  const { set, setAll } = result.current;
  expect(result.current.filter).toMatchObject({ search: 'garden', type: 'image', sort: 'newest' });
  act(() => {
    set({ search: '', type: '', tag: '', favourite: false });
    set({ sort: 'oldest' });
    setAll(false);
  });
  expect(window.location.search).toBe('?sort=oldest');
  expect(result.current).toMatchObject({ filter: { search: '', type: '', sort: 'oldest' }, all: false });
});
