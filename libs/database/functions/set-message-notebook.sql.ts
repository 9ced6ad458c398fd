/**
 * Trigger that gives a message of a program of the previous version its notebook. Those programs know a PDF chat by its document
 * only. Its notebook has the document's id. Can be dropped with `pdf_messages.document_id`.
 */
export const setMessageNotebook = `
  CREATE OR REPLACE FUNCTION set_message_notebook() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    document record;
  BEGIN
    SELECT id, user_id, file_name, coalesce(chat_name, file_name) AS name INTO document
    FROM pdf_documents WHERE id = NEW.document_id;
    INSERT INTO notebooks (id, user_id, name, is_pdf_chat, documents_added)
    VALUES (document.id, document.user_id, document.name, true, 1) ON CONFLICT DO NOTHING;
    -- Has no effect unless another chat of the user has the name.
    INSERT INTO notebooks (id, user_id, name, is_pdf_chat, documents_added)
    VALUES (document.id, document.user_id, document.name || ' ' || document.id, true, 1) ON CONFLICT DO NOTHING;
    INSERT INTO notebook_documents (notebook_id, document_id, source, name)
    VALUES (document.id, document.id, 1, document.file_name) ON CONFLICT DO NOTHING;
    UPDATE notebooks SET updated_at = now() WHERE id = document.id;
    NEW.notebook_id := document.id;
    RETURN NEW;
  END $$`;
