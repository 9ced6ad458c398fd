import { useId, type ReactNode, type Ref, type TextareaHTMLAttributes } from 'react';
import { controlClass, describedBy, FieldFrame } from './field-frame';

interface TextAreaFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string;
  hint?: ReactNode;
  error?: string;
  ref?: Ref<HTMLTextAreaElement>;
}

/** Grows with its text. Enter submits the form, Shift+Enter begins a new line. */
export function TextAreaField({ label, hint, error, ...rest }: TextAreaFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        className={`${controlClass} field-sizing-content max-h-80 min-h-26 resize-none`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
        {...rest}
      />
    </FieldFrame>
  );
}
