const places = ['top-3 left-3', 'top-3 right-3', 'bottom-3 left-3', 'right-3 bottom-3'];

/** The printer's marks at the four corners of a sheet that waits for its print. The sheet is `relative`. */
export function RegisterMarks() {
  return places.map((place) => (
    <svg
      key={place}
      aria-hidden="true"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      className={`pointer-events-none absolute size-4 text-edge ${place}`}
    >
      <circle cx="8" cy="8" r="4" />
      <path d="M8 0v16M0 8h16" />
    </svg>
  ));
}
