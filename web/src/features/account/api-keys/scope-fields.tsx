import type { KeyScope } from '#libs/contract/api-keys.js';
import { Checkbox } from '../../../shared/ui/checkbox';
import { scopeLabels } from './scope-labels';

interface ScopeFieldsProps {
  /** The scopes to choose from. */
  offered: readonly KeyScope[];
  scopes: KeyScope[];
  onChange: (scopes: KeyScope[]) => void;
}

export function ScopeFields({ offered, scopes, onChange }: ScopeFieldsProps) {
  return (
    <fieldset>
      <legend className="font-semibold">What it may do</legend>
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          checked={scopes.includes(scope)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
          }
        >
          {scopeLabels[scope]}
        </Checkbox>
      ))}
    </fieldset>
  );
}
