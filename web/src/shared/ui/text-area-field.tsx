import { useId, type ReactNode, type Ref, type TextareaHTMLAttributes } from 'react';
import { controlClass, describedBy, FieldFrame } from './field-frame';

interface TextAreaFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string;
  hint?: ReactNode;
  error?: string;
  /** True if Enter inserts a line break and Ctrl+Enter submits. */
  multiline?: boolean;
  compact?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
}

/** A text area that grows with its text. Unless `multiline`, Enter submits the form and Shift+Enter inserts a line break. */
export function TextAreaField({
  label,
  hint,
  error,
  multiline = false,
  compact = false,
  ...rest
}: TextAreaFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        id={id}
        className={`${controlClass} field-sizing-content max-h-80 resize-none ${multiline && !compact ? 'min-h-52' : 'min-h-26'}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        onKeyDown={(event) => {
          const submits = multiline ? event.ctrlKey || event.metaKey : !event.shiftKey;
          if (event.key !== 'Enter' || !submits || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
        {...rest}
      />
    </FieldFrame>
  );
}
