import { useState, type ReactNode } from 'react';
import { Checkbox } from '../../shared/ui/checkbox';

/** The option to keep what a photo says about its making: the field, and the input of the tool. */
export function useKeepMetadata(): { field: ReactNode; input: { keepMetadata?: true } } {
  const [isKept, setIsKept] = useState(false);
  return {
    field: (
      <Checkbox checked={isKept} onChange={({ target }) => setIsKept(target.checked)}>
        Keep date and copyright
        <span className="block text-sm text-quiet">
          What the photo says about them. Its place is never kept.
        </span>
      </Checkbox>
    ),
    input: isKept ? { keepMetadata: true } : {},
  };
}
