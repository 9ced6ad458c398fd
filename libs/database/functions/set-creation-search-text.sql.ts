/** Trigger that sets the lower-case text for searches. Excludes the content of images, which is only a path. */
export const setCreationSearchText = `
    CREATE OR REPLACE FUNCTION set_creation_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_text := lower(concat_ws(' ', NEW.display_name, NEW.prompt, CASE WHEN NEW.type <> 'image' THEN NEW.content END));
    RETURN NEW;
  END $$`;
