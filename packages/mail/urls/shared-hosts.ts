/**
 * Hosts that many strangers share: a feed that names one of their pages says nothing about the
 * others.
 *
 * Peers that cut a feed down to its hosts blocked all of GitHub, Dropbox and Amazon
 * (notracking/hosts-blocklists#95, #319). The lists are written by hand from what feeds hold
 * most; the Public Suffix List adds the hosting companies that have entered themselves there.
 * `signals/host-lists.tsv` has another purpose, to say that a link leads to such a host, and so it has
 * other entries.
 */
import { readLists } from '../data-table.ts'
import { isPublicSuffix } from '../message/domain.ts'

const LISTS = readLists(new URL('shared-hosts.tsv', import.meta.url), ['throughout', 'by-label'])

/** Labels of a host that are looked at, from the right; no name in the lists has more. */
const LABELS_MAX = 6

/** Google's domains by country, such as google.co.uk: there are 190, too many to list. */
const GOOGLE = /^(?:[a-z0-9-]+\.){0,3}google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/

/**
 * True when pages under `host` (canonical) have several owners, so that a feed's entry for one URL says
 * nothing about other URLs.
 */
export function isSharedHost(host: string): boolean {
  const bare = host.startsWith('www.') ? host.slice('www.'.length) : host
  if (LISTS['by-label'].has(bare) || (bare.includes('google.') && GOOGLE.test(bare))) return true
  let suffix = bare
  for (let labels = 0; labels < LABELS_MAX; labels += 1) {
    if (LISTS.throughout.has(suffix)) return true
    const dot = suffix.indexOf('.')
    if (dot < 0) break
    suffix = suffix.slice(dot + 1)
  }
  return isPublicSuffix(bare)
}
