import type { ClerkProviderProps } from '@clerk/react';

/**
 * Clerk's appearance options for the current theme. They have the values of our CSS variables, not references to the
 * variables: Clerk defines variables of the same names and computes shades from the values.
 */
export function appearance(): NonNullable<ClerkProviderProps['appearance']> {
  const styles = getComputedStyle(document.documentElement);
  const value = (name: string) => styles.getPropertyValue(name).trim();
  return {
    variables: {
      colorPrimary: value('--accent'),
      colorPrimaryForeground: value('--on-accent'),
      colorBackground: value('--raised'),
      colorForeground: value('--ink'),
      colorMuted: value('--sunken'),
      colorMutedForeground: value('--quiet'),
      colorNeutral: value('--ink'),
      colorInput: value('--page'),
      colorInputForeground: value('--ink'),
      colorRing: value('--accent'),
      colorDanger: value('--danger'),
      colorSuccess: value('--success'),
      colorWarning: value('--warning'),
      colorModalBackdrop: value('--shade'),
      fontFamily: value('--font-sans'),
      fontFamilyMono: value('--font-mono'),
      borderRadius: value('--radius-control'),
    },
    // Clerk uses the accent colour here, which has too little contrast on the selected item.
    elements: { navbarButtonText: { color: value('--ink') } },
  };
}
