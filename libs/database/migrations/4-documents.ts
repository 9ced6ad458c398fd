import { statements } from './migration.js';

/** The PDF documents of people, their text by page, and the conversations about them. */
export class Documents1700000000004 extends statements(
  `CREATE TABLE pdf_documents (
    id uuid PRIMARY KEY,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    sha256 text NOT NULL,
    -- What the file was called when it was first read.
    file_name text NOT NULL,
    -- What a conversation about it is listed under; null where there is none.
    chat_name text,
    -- The text of each page, in order.
    pages jsonb NOT NULL CHECK (jsonb_typeof(pages) = 'array'),
    used_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (person_id, sha256),
    UNIQUE (person_id, chat_name)
  )`,
  `CREATE INDEX pdf_documents_used ON pdf_documents (used_at)`,
  `CREATE TABLE pdf_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id uuid NOT NULL REFERENCES pdf_documents ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('user', 'assistant')),
    content text NOT NULL,
    citations jsonb,
    engine text,
    -- When the question was asked: answers may come in another order.
    asked_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX pdf_messages_order ON pdf_messages (document_id, asked_at, id)`,
) {}
