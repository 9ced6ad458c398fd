import { describe, expect, it } from '@jest/globals';
import { parseFileFact } from './file-facts.js';

describe('a question for a fact of the file', () => {
  it.each([
    ['How many pages has it?', 'pages'],
    ['how many pages does this document have', 'pages'],
    ['How long is this document?', 'pages'],
    ['Wie viele Seiten hat das Dokument?', 'pages'],
    ['Combien de pages ce document a-t-il ?', 'pages'],
    ['¿Cuántas páginas tiene?', 'pages'],
    ['Quante pagine ha il documento?', 'pages'],
    ['Quantas páginas tem?', 'pages'],
    ["Hoeveel pagina's heeft dit document?", 'pages'],
    ['Who wrote this?', 'author'],
    ['who is the author', 'author'],
    ['Who wrote this letter?', 'author'],
    ['Wer hat das geschrieben?', 'author'],
    ['Qui a écrit ce texte ?', 'author'],
    ['¿Quién escribió este documento?', 'author'],
    ['When was it created?', 'created'],
    ['When was this paper published?', 'created'],
    ['Wann wurde das Dokument erstellt?', 'created'],
    ['When was the file last modified?', 'modified'],
    ['What language is it in?', 'language'],
    ['In which language is this document written?', 'language'],
    ['In welcher Sprache ist das Dokument?', 'language'],
    ['What is the title?', 'title'],
    ['Wie lautet der Titel des Dokuments?', 'title'],
    ['List the headings', 'headings'],
    ['What chapters are there?', 'headings'],
    ['list all the chapters of the book', 'headings'],
    ['Show me the table of contents', 'headings'],
    ['Welche Kapitel gibt es?', 'headings'],
    ['How many chapters does it have?', 'headings'],
    ['Quels sont les chapitres ?', 'headings'],
  ])('%s: %s', (question, fact) => expect(parseFileFact(question, false)).toBe(fact));

  it.each([
    'Who wrote the letter to the king?',
    'How many pages does the annex have?',
    'How many pages can I print a minute?',
    'How long is the contract?',
    'How long is the notice period?',
    'When was the company created?',
    'When was the castle built?',
    'When was the letter written?',
    'Which languages does she speak?',
    'What is her title?',
    'What is the title of section 3?',
    'Which sections stay in force after the end?',
    'What are the contents of the box?',
    'Who made the clock?',
    'Wer hat den Brief an den König geschrieben?',
    'Who is the author of the foreword?',
    'Which chapter is about granite?',
  ])('is not: %s', (question) => expect(parseFileFact(question, false)).toBeNull());

  it('is not about the subject of an earlier question', () => {
    expect(parseFileFact('When was it created?', true)).toBeNull();
    expect(parseFileFact('When was this document created?', true)).toBe('created');
    expect(parseFileFact('How many pages has it?', true)).toBe('pages');
  });
});
