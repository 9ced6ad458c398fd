const positions = ['top-3 left-3', 'top-3 right-3', 'bottom-3 left-3', 'right-3 bottom-3'];

/** Decorative printer's marks in the corners of an empty panel. The panel must have the class `relative`. */
export function CornerMarks() {
  return positions.map((position) => (
    <svg
      key={position}
      aria-hidden="true"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      className={`pointer-events-none absolute size-4 text-edge ${position}`}
    >
      <circle cx="8" cy="8" r="4" />
      <path d="M8 0v16M0 8h16" />
    </svg>
  ));
}
