/** The theme in use, for what is painted and not styled. */
import { useEffect, useState } from 'preact/hooks'

export function useTheme(): string {
  const [theme, setTheme] = useState(document.documentElement.dataset['theme'] ?? 'light')
  useEffect(() => {
    const read = () => setTheme(document.documentElement.dataset['theme'] ?? 'light')
    const observer = new MutationObserver(read)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return theme
}
