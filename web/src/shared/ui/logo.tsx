export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg aria-hidden="true" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor">
        <circle cx="12" cy="12" r="6.5" strokeWidth="1.5" />
        <path d="M12 1v22M1 12h22" strokeWidth="1.5" />
        <circle cx="12" cy="12" r="2.75" fill="var(--accent)" stroke="none" />
      </svg>
      <span className="display text-xl">Pressroom</span>
    </span>
  );
}
