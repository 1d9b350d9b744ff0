/** Addresses of what a page shows, `#/users/<id>`: the name is percent-encoded, as a part of a path. */

import { useEffect, useState } from 'preact/hooks'

type PageWithNames = 'users' | 'history'

export function pageAddress(page: PageWithNames, name: string): string {
  return `#/${page}/${encodeURIComponent(name)}`
}

/** What the fragment of an address names on `page`; undefined if it names nothing. */
export function nameIn(hash: string, page: PageWithNames): string | undefined {
  const start = `#/${page}/`
  if (!hash.startsWith(start) || hash === start) return undefined
  try {
    return decodeURIComponent(hash.slice(start.length))
  } catch {
    // Typed by hand, with a per cent sign that encodes nothing.
    return hash.slice(start.length)
  }
}

/** The fragment of the address, as it changes. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return hash
}
