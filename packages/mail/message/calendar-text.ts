/**
 * The text of a calendar (iCalendar, RFC 5545) as a mail program shows its values: folded lines joined
 * (§3.1), and line breaks, commas and semicolons unescaped (§3.3.11).
 */

/** Whether `text` is a calendar, whatever its type says. */
export function looksLikeCalendar(text: string): boolean {
  return /^\s{0,100}BEGIN:VCALENDAR/i.test(text)
}

/** `text` with its lines unfolded and its values unescaped. */
export function calendarText(text: string): string {
  const unfolded = text.replaceAll(/\r?\n[ \t]/g, '')
  return unfolded.replaceAll(/\\([nN,;\\])/g, (_, escaped) => (/n/i.test(escaped) ? '\n' : escaped))
}
