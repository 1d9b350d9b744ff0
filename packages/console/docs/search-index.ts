/** What can be found in the reference, and how well it matches a query. */

/** Kinds in the order in which equal matches are listed. */
const KINDS = ['Task', 'Route', 'Error', 'Field'] as const

export interface Entry {
  readonly kind: (typeof KINDS)[number]
  readonly title: string
  /** A sentence that is searched too. */
  readonly about: string
  /** The anchor. */
  readonly id: string
}

/** Matches that are listed; a reader who wants others writes more. */
const LISTED_MAX = 30

/** Longest query that is searched for; no name or sentence of the reference is longer. */
const QUERY_LENGTH_MAX = 200

/** Everything in the reference, in the order of the page. */
export function entriesOf(page: ParentNode): Entry[] {
  return [
    ...each(page, 'section.task', 'Task', 'h3', 'p'),
    ...each(page, 'section.route', 'Route', 'h3', '.summary'),
    ...each(page, 'h3.code', 'Error', 'a'),
    ...each(page, 'section.route tr[id]', 'Field', 'th code', 'td:last-child'),
  ]
}

function each(
  page: ParentNode,
  selector: string,
  kind: Entry['kind'],
  title: string,
  about?: string,
): Entry[] {
  return Array.from(page.querySelectorAll(selector), (element) => {
    const route = kind === 'Field' ? textOf(element.closest('section'), 'h3') : ''
    const said = about === undefined ? '' : textOf(element, about)
    return {
      kind,
      title: textOf(element, title),
      about: [route, said].filter((part) => part !== '').join(': '),
      id: element.id,
    }
  })
}

function textOf(element: Element | null, selector: string): string {
  return (element?.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim()
}

/** The entries that have all words of `query`, best first. None for an empty query. */
export function found(query: string, entries: readonly Entry[]): Entry[] {
  const asked = query.slice(0, QUERY_LENGTH_MAX).trim().toLowerCase()
  if (asked === '') return []
  const words = asked.split(/\s+/)
  return entries
    .filter(({ title, about, id }) => {
      const text = `${title} ${about} ${id}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .map((entry) => ({ entry, rank: rankOf(asked, entry) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, LISTED_MAX)
    .map(({ entry }) => entry)
}

/** Smaller is better: the title itself, its beginning, a part of it, another place; then by kind. */
function rankOf(asked: string, { title, kind, id }: Entry): number {
  const name = title.toLowerCase()
  const place =
    name === asked || id.toLowerCase() === asked
      ? 0
      : name.startsWith(asked)
        ? 1
        : name.includes(asked)
          ? 2
          : 3
  return place * KINDS.length + KINDS.indexOf(kind)
}
