/** Whether the page is as narrow as on a phone, as the style sheets have it. */
import { useEffect, useState } from 'preact/hooks'

const NARROW = matchMedia('(max-width: 640px)')

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches)
  useEffect(() => {
    const follow = () => setNarrow(NARROW.matches)
    NARROW.addEventListener('change', follow)
    return () => NARROW.removeEventListener('change', follow)
  }, [])
  return isNarrow
}
