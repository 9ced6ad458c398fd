/**
 * Trigger: the text of a creation that searches look through, in lower case. The content of an image is its path.
 */
export const setCreationSearchText = `
    CREATE OR REPLACE FUNCTION set_creation_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_text := lower(concat_ws(' ', NEW.display_name, NEW.prompt, CASE WHEN NEW.type <> 'image' THEN NEW.content END));
    RETURN NEW;
  END $$`;
