/** Light or dark: as the system has it, until the reader says otherwise. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { Button, Icon } from './parts.tsx'

const NAME = 'tamis-theme'

const systemDark = matchMedia('(prefers-color-scheme: dark)')

function systemTheme() {
  return systemDark.matches ? 'dark' : 'light'
}

function chosenTheme() {
  return localStorage.getItem(NAME) ?? systemTheme()
}

/** Changes between the two. What the reader chose is kept; what the system has needs no keeping. */
export function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme)
  useEffect(() => {
    const follow = () => setTheme(chosenTheme)
    systemDark.addEventListener('change', follow)
    return () => systemDark.removeEventListener('change', follow)
  }, [])
  useLayoutEffect(() => {
    document.documentElement.style.colorScheme = theme
  }, [theme])
  const other = theme === 'dark' ? 'light' : 'dark'
  const change = () => {
    if (other === systemTheme()) localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, other)
    setTheme(other)
  }
  return (
    <Button class="ghost" onClick={change} aria-label={`Use the ${other} theme`}>
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </Button>
  )
}
