/** Lets password managers know whose password the form is about. */
export function HiddenUsername({ email }: { email: string | null }) {
  return (
    <input
      type="text"
      autoComplete="username"
      value={email ?? ''}
      readOnly
      hidden
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}
