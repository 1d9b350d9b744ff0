/**
 * What mail programs show of an event (iCalendar, RFC 5545): its title, place and description, not the
 * syntax around them. Long lines are folded, also within words, and some characters are escaped.
 */

/** Fields that are shown. Outlook shows X-ALT-DESC, which is HTML, in place of the description. */
const SHOWN_FIELD = /^(?:SUMMARY|LOCATION|DESCRIPTION|COMMENT|X-ALT-DESC)(?:;[^:\n]{0,500})?:(.*)$/i

const TAG = /<[^<>]{0,1000}>/g

/** `source` with its lines unfolded (§3.1) and the characters of its texts restored (§3.3.11). */
export function unfoldedCalendar(source: string): string {
  return source
    .replace(/\n[ \t]/g, '')
    .replace(/\\([nN,;\\])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped))
}

/** What is shown of an event, in the order of its fields; '' when it has none of them. */
export function shownOfCalendar(source: string): string {
  const shown: string[] = []
  for (const line of source.replace(/\n[ \t]/g, '').split('\n')) {
    const value = SHOWN_FIELD.exec(line)?.[1]
    if (value !== undefined) shown.push(unfoldedCalendar(value).replace(TAG, ' '))
  }
  return shown.join('\n').trim()
}
