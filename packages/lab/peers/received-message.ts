/**
 * A corpus message as it stood before the receiving side and the collector wrote into it, so
 * that other filters get what our features see. Bytes are kept otherwise.
 *
 * Received fields stay, all of them: which are the receiving side's cannot be told, and the
 * rules of other filters read the sender's. Return-Path stays, for it is the envelope's sender.
 */

/**
 * Fields of filters, of mail stores and of delivery, by name in lower case. Those that the sender
 * or a mailing list adds (DKIM-Signature, List-*, X-Mailer and their like) are not among them.
 */
const RECEIVING_SIDE_FIELDS: readonly RegExp[] = [
  // Verdicts, and what they rest on.
  /^x-(?:spam|spamd|rspamd|bogosity|barracuda|asg|amavis|virus|ironport|proofpoint|policyd|greylist|mailscanner|cm-|vr-|tm-as|rc-|bitdefender|brightmail|authority-analysis|scanned-by|dspam|antivirus|auditid|sid|message-(?:info|delivery|flag))/,
  /^(?:xstatus|xlevel|xchecker-version|x-amavisstatus|dkim-filter|domainkey-status)$/,
  // Authentication as the receiver saw it (RFC 8601, RFC 7208, RFC 8617).
  /^(?:authentication-results|received-spf|arc-|x-authentication-|x-received-spf|x-ms-exchange-authentication)/,
  // Exchange and Outlook.com, on arrival.
  /^x-(?:ms-exchange|ms-office365|ms-publictraffic|ms-traffic|ms-userlastlogon|microsoft-antispam|forefront|eop|incomingheader|incomingtopheader|originatororg|sender-ip|clientproxiedby)/,
  // Gmail, on arrival or forwarding.
  /^(?:x-received|x-gm-|x-google-|x-forwarded)/,
  // Delivery.
  /^(?:delivered-to|x-original-to|x-delivered-to|x-envelope-|envelope-to|x-apparently-to|delivery-date|x-delivery-agent|old-return-path|resent-|x-loop|x-mime-autoconverted)/,
  // Mail stores and collectors.
  /^(?:x-uidl?|x-mozilla-|x-account-key|x-keywords|x-status|status|lines|content-length|x-imap|x-evolution|connect\(\)|x-injected-via-gmane|x-gmane-)/,
]

/** `message` without the fields of the receiving side. */
export function withoutReceivingSide(message: Uint8Array): Buffer {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
  const kept: Buffer[] = []
  let dropping = false
  let start = 0
  while (start < bytes.length) {
    const lineEnd = bytes.indexOf('\n', start)
    const next = lineEnd < 0 ? bytes.length : lineEnd + 1
    const line = bytes.subarray(start, next)
    if (/^\r?\n?$/.test(line.toString('latin1'))) break
    if (!isContinuation(line)) dropping = isOfReceivingSide(fieldName(line))
    if (!dropping) kept.push(line)
    start = next
  }
  return Buffer.concat([...kept, bytes.subarray(start)])
}

function isContinuation(line: Buffer): boolean {
  return line[0] === 0x20 || line[0] === 0x09
}

function fieldName(line: Buffer): string {
  const colon = line.indexOf(':')
  return line.toString('latin1', 0, Math.max(colon, 0)).trim().toLowerCase()
}

function isOfReceivingSide(name: string): boolean {
  return RECEIVING_SIDE_FIELDS.some((pattern) => pattern.test(name))
}
