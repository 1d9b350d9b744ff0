/** Light or dark: as the system has it, until the reader says otherwise. */

const NAME = 'tamis-theme'

export type Theme = 'light' | 'dark'

const systemDark = matchMedia('(prefers-color-scheme: dark)')

export function currentTheme(): Theme {
  const chosen = localStorage.getItem(NAME)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return systemDark.matches ? 'dark' : 'light'
}

/** What the reader chose is kept; what the system has needs no keeping. */
export function setTheme(theme: Theme): void {
  if (theme === (systemDark.matches ? 'dark' : 'light')) localStorage.removeItem(NAME)
  else localStorage.setItem(NAME, theme)
  applyTheme()
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = currentTheme()
}

/** `changed` is called when the system changes over. */
export function followSystem(changed: () => void): () => void {
  const listener = () => {
    applyTheme()
    changed()
  }
  systemDark.addEventListener('change', listener)
  return () => systemDark.removeEventListener('change', listener)
}
