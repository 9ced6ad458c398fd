export type QueueName = 'text' | 'image' | 'pdf';
export const queueNames: QueueName[] = ['text', 'image', 'pdf'];

export type Priority = 'premium' | 'standard';

/** A part of a queue's order: every job of a lower lane starts before all of a higher one. */
export type Lane = 0 | 1 | 2 | 3;
