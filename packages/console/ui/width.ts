/** The width that a plot has, so that its text keeps its size however wide it is. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export function useWidth<Kind extends HTMLElement>(first: number) {
  const ref = useRef<Kind>(null)
  const [width, setWidth] = useState(first)
  // Before it is painted: drawn as wide as `first` it would be wider than a phone for a moment.
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    setWidth(Math.max(1, element.clientWidth))
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(1, Math.round(entry.contentRect.width)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}
