/** Tells password managers whose password the form is about; users see nothing of it. */
export function UsernameForManagers({ email }: { email: string | null }) {
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
