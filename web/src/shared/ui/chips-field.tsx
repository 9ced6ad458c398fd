import { useController, type Control, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { RadioChips, type RadioChipsProps } from './radio-chips';

interface ChipsFieldProps<F extends FieldValues, C, T, V extends string | number> extends Pick<
  RadioChipsProps<V>,
  'legend' | 'options' | 'stacked'
> {
  control: Control<F, C, T>;
  name: FieldPathByValue<F, V | undefined>;
}

/** Radio chips as a field of a form. The first option is the default. */
export function ChipsField<F extends FieldValues, C, T, V extends string | number>({
  control,
  name,
  options,
  ...rest
}: ChipsFieldProps<F, C, T, V>) {
  const { field } = useController({ control, name });
  return (
    <RadioChips
      {...rest}
      name={name}
      value={field.value ?? options[0]?.value}
      options={options}
      onChange={field.onChange}
    />
  );
}
