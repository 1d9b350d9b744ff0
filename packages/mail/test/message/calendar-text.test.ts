import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shownOfCalendar, unfoldedCalendar } from '../../message/text-bodies.ts'

const EVENT = `BEGIN:VCALENDAR
METHOD:REQUEST
BEGIN:VEVENT
UID:1@example.com
SUMMARY;LANGUAGE=en:Your account\\, charged
LOCATION:Room 1
DESCRIPTION:To cancel open https://pay.exam
 ple.com/x\\nor call us
X-ALT-DESC;FMTTYPE=text/html:<p>To cancel</p>
URL:https://example.org
END:VEVENT
END:VCALENDAR
`

describe('an event', () => {
  it('shows its title, place and description, with whole lines and no escapes', () => {
    assert.equal(
      shownOfCalendar(EVENT),
      'Your account, charged\nRoom 1\nTo cancel open https://pay.example.com/x\nor call us\n To cancel',
    )
  })
  it('has all fields in whole lines', () => {
    assert.ok(unfoldedCalendar(EVENT).includes('open https://pay.example.com/x\nor call us\n'))
    assert.ok(unfoldedCalendar(EVENT).includes('\nURL:https://example.org\n'))
  })
})
