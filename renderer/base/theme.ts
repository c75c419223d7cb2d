import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';

// Each ramp was stepped in OKLCH at fixed lightness, so that shade n of one colour weighs as much as shade n
// of another; `look.css` holds the semantic colours, these tuples are only for Mantine's own components.
const patina: MantineColorsTuple = [
  '#ebf9f7',
  '#d2efeb',
  '#b3e3dd',
  '#8dd8d0',
  '#6bcbc2',
  '#4cb1a9',
  '#32918a',
  '#1d716b',
  '#145954',
  '#0e3e3a',
];
const crimson: MantineColorsTuple = [
  '#fdf2f2',
  '#fce0e0',
  '#fdc8c9',
  '#fdb0b1',
  '#fb979a',
  '#f16f78',
  '#d64556',
  '#af283d',
  '#891f2f',
  '#5e1921',
];
const ochre: MantineColorsTuple = [
  '#fbf4ea',
  '#f5e6ce',
  '#f0d3a8',
  '#eac07f',
  '#e0ae5d',
  '#c99436',
  '#a5761d',
  '#825b0c',
  '#664605',
  '#473005',
];
const moss: MantineColorsTuple = [
  '#eef8f0',
  '#d8efdc',
  '#bce3c3',
  '#9dd8a9',
  '#7fcc90',
  '#5cb572',
  '#3f9557',
  '#2b7440',
  '#225a31',
  '#163f21',
];
const dark: MantineColorsTuple = [
  '#e4e9ea',
  '#c2c7c8',
  '#abafb0',
  '#979b9c',
  '#454849',
  '#2b2e30',
  '#222526',
  '#141718',
  '#0f1213',
  '#0c0f10',
];
const gray: MantineColorsTuple = [
  '#f7fbfc',
  '#f0f4f6',
  '#e8eced',
  '#dbdfe0',
  '#caced0',
  '#aeb2b3',
  '#7d8182',
  '#55595a',
  '#35393a',
  '#1d2021',
];

const dense = { defaultProps: { size: 'xs' as const } };

export const theme = createTheme({
  colors: { patina, crimson, ochre, moss, dark, gray, red: crimson, green: moss, yellow: ochre },
  primaryColor: 'patina',
  primaryShade: { light: 7, dark: 5 },
  // Mantine picks one text colour for both themes; ours are a light fill
  // with dark text and a dark fill with light.
  variantColorResolver: (input) =>
    input.variant === 'filled' && (input.color === undefined || input.color === 'patina')
      ? {
          background: 'var(--lk-accent-fill)',
          hover: 'var(--lk-accent-hover)',
          color: 'var(--lk-on-accent)',
          border: '1px solid transparent',
        }
      : input.variant === 'filled' && input.color === 'crimson'
        ? {
            background: 'var(--mantine-color-crimson-7)',
            hover: 'var(--mantine-color-crimson-8)',
            color: '#ffffff',
            border: '1px solid transparent',
          }
        : defaultVariantColorsResolver(input),
  black: '#071312',
  fontFamily:
    '"Inter Variable", "Noto Sans SC", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Zen Hei", system-ui, sans-serif',
  fontFamilyMonospace: 'var(--lk-mono)',
  fontSizes: { xs: '12.5px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '22px', lineHeight: '1.25' },
      h2: { fontSize: '15px', lineHeight: '1.35' },
      h3: { fontSize: '13px', lineHeight: '1.4' },
    },
  },
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: dense,
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } },
    TextInput: dense,
    PasswordInput: dense,
    NumberInput: dense,
    Select: dense,
    Textarea: dense,
    FileButton: dense,
    MultiSelect: dense,
    Switch: dense,
    Checkbox: dense,
    Radio: dense,
    SegmentedControl: { defaultProps: { size: 'xs' as const, withItemsBorders: false } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 12, fz: 'xs' } },
    Text: { defaultProps: { size: 'sm' } },
    Tooltip: {
      defaultProps: { openDelay: 350, withArrow: false, transitionProps: { duration: 80 }, fz: 12 },
    },
    Modal: {
      defaultProps: { centered: true, radius: 'lg', transitionProps: { duration: 100 }, padding: 20 },
    },
    Menu: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
    Popover: { defaultProps: { transitionProps: { duration: 80 } } },
  },
});

/** Maps Mantine's variables to those of `look.css`, so that both always agree. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--lk-place)',
    '--mantine-color-text': 'var(--lk-text)',
    '--mantine-color-dimmed': 'var(--lk-muted)',
    '--mantine-color-placeholder': 'var(--lk-faint)',
    '--mantine-color-default': 'var(--lk-raised)',
    '--mantine-color-default-hover': 'var(--lk-hover)',
    '--mantine-color-default-color': 'var(--lk-text)',
    '--mantine-color-default-border': 'var(--lk-line)',
    '--mantine-color-anchor': 'var(--lk-accent)',
    '--mantine-color-error': 'var(--lk-bad)',
    '--mantine-color-disabled': 'var(--lk-hover)',
    '--mantine-color-disabled-color': 'var(--lk-faint)',
    '--mantine-color-disabled-border': 'var(--lk-line)',
  };
  return { variables: {}, dark: shared, light: shared };
};
