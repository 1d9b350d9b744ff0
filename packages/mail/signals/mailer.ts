/**
 * Signals from the fields in which the sending program names itself and asks for attention:
 * X-Mailer, User-Agent, priority, receipts.
 */
import type { Message } from '../message/message.ts'
import { fieldBody } from './fields.ts'
import { type Signal, signal } from './signal.ts'

/** Programs that have had no new version for ten years and are named mostly by forgers. */
const OBSOLETE =
  /outlook express|the bat! \(v[12]|eudora|incredimail|microsoft outlook,? build 1[01]\.|microsoft cdo|microsoft windows (?:live )?mail|foxmail [456]|microsoft outlook imo/i

/** Libraries through which a script sends. */
const LIBRARY =
  /phpmailer|swift ?mailer|nodemailer|python|perl|mime::lite|leaf ?phpmailer|zend_mail|cakephp|codeigniter|javamail|smtplib|mailkit|chilkat|indy|aspmail|php\/|csmtpconnection|easymail|ultramailer|mail::sendmail/i

/** Programs in which a person writes. */
const PERSONAL =
  /thunderbird|apple mail|iphone mail|ipad mail|microsoft outlook|mutt|evolution|k-?mail|claws|sylpheed|roundcube|gnus|squirrelmail|horde|zimbra|git-send-email|airmail|the bat|mailspring|postbox|b4\b/i

/** Characters of a program's name that are looked at. */
const PROGRAM_LENGTH_MAX = 200

export function mailerSignals(message: Message): Signal[] {
  const found: Signal[] = [...programSignals(message)]
  const script =
    fieldBody(message, 'x-php-originating-script') ?? fieldBody(message, 'x-php-script')
  if (script !== undefined) found.push(signal('MAILER_PHP_SCRIPT', script))

  const priority = fieldBody(message, 'x-priority') ?? fieldBody(message, 'importance')
  if (priority !== undefined && /^\s*(?:1|2|high|urgent)/i.test(priority)) {
    found.push(signal('PRIORITY_HIGH', priority))
  }
  if (priority !== undefined && /^\s*(?:4|5|low)/i.test(priority)) {
    found.push(signal('PRIORITY_LOW', priority))
  }
  if (
    fieldBody(message, 'disposition-notification-to') !== undefined ||
    fieldBody(message, 'x-confirm-reading-to') !== undefined
  ) {
    found.push(signal('RECEIPT_REQUESTED'))
  }
  return found
}

function programSignals(message: Message): Signal[] {
  const named = fieldBody(message, 'x-mailer') ?? fieldBody(message, 'user-agent') ?? ''
  const program = named.slice(0, PROGRAM_LENGTH_MAX).trim()
  if (program === '') return []
  if (OBSOLETE.test(program)) return [signal('MAILER_OBSOLETE', program)]
  if (LIBRARY.test(program)) return [signal('MAILER_LIBRARY', program)]
  if (PERSONAL.test(program)) return [signal('MAILER_PERSONAL', program)]
  return [signal('MAILER_OTHER', program)]
}
