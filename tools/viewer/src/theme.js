import { shared } from './materials.js';

const themes = {
  light: { background: '#eef1f5', edge: '#26303c', ghost: '#7f8b99', plain: '#9db4c8' },
  dark: { background: '#14181d', edge: '#0b0e12', ghost: '#8794a3', plain: '#7d93a8' },
};

export function currentTheme() {
  const asked = document.documentElement.dataset.theme;
  if (asked) return asked;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function apply(panels) {
  const theme = themes[currentTheme()];
  for (const name of ['edge', 'ghost', 'plain']) shared[name].value.set(theme[name]);
  for (const panel of panels) panel.background(theme.background);
}
