import { describe, expect, it } from '@jest/globals';
import { QuotablePage } from './find-quote.js';
import { findTables, flattenTables, namedRow } from './markdown-tables.js';

const page = `Prices of 2024

| Model | Price | Stock |
| --- | --- | --- |
| Lamp \\| small | 12.50 | |
| Lantern | 30 | 4 |

Prices include tax.`;

describe('tables in Markdown', () => {
  it('are found with their cells', () => {
    expect(findTables(page.split('\n'))).toEqual([
      {
        start: 2,
        end: 6,
        head: ['Model', 'Price', 'Stock'],
        rows: [
          ['Lamp | small', '12.50', ''],
          ['Lantern', '30', '4'],
        ],
      },
    ]);
  });

  it('are written as lines', () => {
    expect(flattenTables(page)).toBe(
      'Prices of 2024\n\nModel Price Stock\nLamp | small 12.50\nLantern 30 4\n\nPrices include tax.',
    );
    expect(flattenTables('a | b\n| no table |')).toBe('a | b\n| no table |');
  });

  it('have rows that name their columns, without empty cells', () => {
    expect(namedRow(['', 'Q1', 'Q2:'], ['2004', '34.7', '36.2'])).toBe('2004; Q1: 34.7; Q2: 36.2.');
    expect(namedRow(['Name', 'Night'], ['Bert', ''])).toBe('Name: Bert.');
  });

  it.each([
    ['Model: Lantern; Price: 30; Stock: 4', 'Model: Lantern; Price: 30; Stock: 4'],
    ['| Lantern | 30 | 4 |', 'Lantern 30 4'],
    ['Lantern 30 4', 'Lantern 30 4'],
    ['Lamp | small', 'Lamp | small'],
    ['Model: Lantern; Price: 31', null],
  ])('let a quotation of a row be found: %s', (quotation, expected) => {
    expect(new QuotablePage(page).find(quotation)?.trim() ?? null).toBe(expected);
  });
});
