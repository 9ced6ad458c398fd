import { describe, expect, it } from '@jest/globals';
import { findPassives } from './passive-voice.js';

const passives = (text: string) => findPassives(text).map(({ start, end }) => text.slice(start, end));

describe('the passive voice', () => {
  it.each([
    ['Was given the task to write unit tests', 'Was given'],
    ['Reports were written every week.', 'were written'],
    ['I was asked to lead the migration', 'was asked'],
    ['New servers were carefully installed in two halls', 'were carefully installed'],
    ['In 2019 the team was doubled', 'was doubled'],
    ['Have been promoted twice', 'been promoted'],
    ['After the merger, all contracts were renegotiated', 'were renegotiated'],
    ['Costs were cut by 12%; quality rose', 'were cut'],
    ['Was later put in charge of the shop', 'Was later put'],
    ['Got selected for the trainee programme', 'Got selected'],
    ['The warehouse, built in 1990, was renovated under a tight budget', 'was renovated'],
    ['Was tasked with testing, and wrote 40 test plans', 'Was tasked'],
  ])('is found in %j', (text, words) => expect(passives(text)).toEqual([words]));

  it.each([
    'Mentored four engineers, two of whom were promoted',
    'Mentored four engineers, two of\nwhom were promoted',
    'Trained six nurses, all of whom are employed there today',
    'Built a service that is used by 300 shops',
    'Kept the code that was written by others',
    'Ran the kitchen while the chef was hospitalised',
    'Is interested in logistics and robotics',
    'Am experienced in wound care',
    'The office is located in Lyon',
    'We are dedicated to safety',
    'Was involved in planning',
    'Is used to working at night',
    'Can be reached by phone',
    'The first woman to be elected to the board',
    'Was responsible for 12 cooks',
    'Reduced the time that orders were delayed by half',
    'Worked where machines are built',
    'Was excited to learn Rust',
    'Led a red team; was also treasurer',
    'Cut costs when budgets were reduced',
    'Is a certified welder',
    'Coached interns, three of them now being employed',
  ])('is not found in %j', (text) => expect(passives(text)).toEqual([]));
});
