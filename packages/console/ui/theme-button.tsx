/** Changes between the light theme and the dark one. */
import { useEffect, useState } from 'preact/hooks'
import { currentTheme, followSystem, setTheme } from '../theme.ts'
import { Button, Icon } from './parts.tsx'

export function ThemeButton() {
  const [theme, show] = useState(currentTheme)
  useEffect(() => followSystem(() => show(currentTheme())), [])
  const other = theme === 'dark' ? 'light' : 'dark'
  const change = () => {
    setTheme(other)
    show(other)
  }
  return (
    <Button class="ghost square" onClick={change} aria-label={`Use the ${other} theme`}>
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </Button>
  )
}
