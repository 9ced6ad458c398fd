/** The queues that workers serve; a tool's jobs wait in one of them. */
export type QueueName = 'text' | 'image' | 'pdf';
export const queueNames: QueueName[] = ['text', 'image', 'pdf'];

export type Priority = 'premium' | 'standard';
