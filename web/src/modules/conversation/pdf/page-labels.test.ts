import { describe, expect, it } from '@jest/globals';
import { findPage, pageName, usefulLabels } from './page-labels.js';

const labels = ['i', 'ii', '1', '2', 'A-1'];

describe('page labels', () => {
  it('find a page by its label, else by its number', () => {
    expect(findPage(labels, '1', 5)).toBe(3);
    expect(findPage(labels, ' II ', 5)).toBe(2);
    expect(findPage(labels, 'a-1', 5)).toBe(5);
    expect(findPage(labels, '4', 5)).toBe(4);
    expect(findPage(labels, '900', 5)).toBe(5);
    expect(findPage(null, '3–4', 5)).toBe(3);
    expect(findPage(labels, 'xii', 5)).toBeNull();
    expect(findPage(null, '0', 5)).toBeNull();
    expect(findPage(labels, '', 5)).toBeNull();
  });

  it('name a page', () => {
    expect(pageName(labels, 1)).toBe('i');
    expect(pageName(['', 'B'], 1)).toBe('1');
    expect(pageName(null, 7)).toBe('7');
  });

  it('are ignored if they are the page numbers', () => {
    expect(usefulLabels(['1', '2', ''])).toBeNull();
    expect(usefulLabels(null)).toBeNull();
    expect(usefulLabels(labels)).toBe(labels);
  });
});
