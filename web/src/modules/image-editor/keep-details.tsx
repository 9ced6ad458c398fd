import { Checkbox } from '../../shared/ui/checkbox';

interface KeepDetailsProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Lets the user keep what a photo says about its making. */
export const KeepDetails = ({ checked, onChange }: KeepDetailsProps) => (
  <Checkbox checked={checked} onChange={({ target }) => onChange(target.checked)}>
    Keep date and copyright
    <span className="block text-sm text-quiet">What the photo says about them. Its place is never kept.</span>
  </Checkbox>
);
