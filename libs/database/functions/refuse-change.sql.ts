/** For tables whose rows are only added: a trigger that refuses other changes. */
export const refuseChange = `
  CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is only added to', TG_TABLE_NAME;
  END $$
`;
