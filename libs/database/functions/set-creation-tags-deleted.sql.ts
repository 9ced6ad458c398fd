/** Trigger that copies the deletion of a creation to its tags. */
export const setCreationTagsDeleted = `
    CREATE OR REPLACE FUNCTION set_creation_tags_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE creation_tags SET is_deleted = NEW.deleted_at IS NOT NULL WHERE creation_id = NEW.id;
    RETURN NULL;
  END $$`;
