/** The width that a plot has, so that its text keeps its size however wide it is. */
import { useEffect, useRef, useState } from 'preact/hooks'

export function useWidth<Kind extends HTMLElement>(first: number) {
  const ref = useRef<Kind>(null)
  const [width, setWidth] = useState(first)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(1, Math.round(entry.contentRect.width)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}
