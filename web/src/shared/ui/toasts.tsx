import { Toaster } from 'react-hot-toast';

/** Shows toasts: 2 s for success and 4 s for errors, as specified. At most 20 at a time, the library's limit. */
export function Toasts() {
  return (
    <Toaster
      position="top-center"
      gutter={8}
      containerStyle={{ top: 20 }}
      toastOptions={{
        success: { duration: 2_000, iconTheme: { primary: 'var(--success)', secondary: 'var(--raised)' } },
        error: { duration: 4_000, iconTheme: { primary: 'var(--danger)', secondary: 'var(--raised)' } },
        style: {
          background: 'var(--raised)',
          color: 'var(--ink)',
          border: '1px solid var(--line)',
          borderRadius: 'var(--radius-control)',
          boxShadow: '0 8px 24px rgb(0 0 0 / 0.18)',
          fontSize: '0.9375rem',
          maxWidth: '28rem',
          overflowWrap: 'anywhere',
        },
      }}
    />
  );
}
