import type { Annotation } from './annotation.js';

/** What is filled in or chosen in a form field. Null for an empty or hidden field, a password, or a button. */
export function fieldValue(field: Annotation): string | null {
  if (field.hidden || field.password) return null;
  switch (field.fieldType) {
    case 'Tx':
      return textOf(field);
    case 'Ch':
      return choicesOf(field);
    case 'Btn':
      if (field.radioButton) return isChosen(field) ? 'chosen' : null;
      return field.checkBox && isChecked(field) ? 'checked' : null;
    default:
      return null;
  }
}

/** The value, or if the file has none, what the field shows. */
function textOf({ fieldValue: value, textContent = [] }: Annotation): string | null {
  const text = typeof value === 'string' ? value : '';
  return text.trim() || textContent.join('\n').trim() || null;
}

function choicesOf({ fieldValue: value, options = [] }: Annotation): string | null {
  const values = [value ?? []].flat();
  const names = values.map(
    (each) => options.find(({ exportValue }) => exportValue === each)?.displayValue ?? each,
  );
  return names.join(', ').trim() || null;
}

const isChosen = ({ fieldValue: value, buttonValue }: Annotation) =>
  typeof value === 'string' && value !== 'Off' && value === buttonValue;

function isChecked({ fieldValue: value, exportValue }: Annotation): boolean {
  if (typeof value !== 'string' || value === '' || value === 'Off') return false;
  return exportValue === undefined || value === exportValue;
}
