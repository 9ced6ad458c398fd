/** The keys of the query cache. */
export const queryKeys = {
  config: ['config'],
  session: ['session'],
  account: ['account'],
  ownSession: ['own-session'],
  sessions: ['sessions'],
  creations: ['creations'],
  creationPages: (filter: object) => ['creations', 'pages', filter],
  creation: (id: string) => ['creations', 'one', id],
  published: ['published'],
  pdfChats: ['pdf-chats'],
  pdfFile: (fileName: string) => ['pdf-file', fileName],
  jobs: ['jobs'],
  latestJobs: ['jobs', '*'],
  toolJobs: (tool: string) => ['jobs', tool],
} as const;
