/** What holds of the service's parsers of single texts, as parser-properties.ts says it of those of mail. */
import { addresses } from '../../../mail/test/fuzz/addresses.ts'
import type { Dice } from '../../../mail/test/fuzz/dice.ts'
import { resultsField } from '../../../mail/test/fuzz/headers.ts'
import { type Parser, unlessRefused } from '../../../mail/test/fuzz/parser-properties.ts'
import { line, noise } from '../../../mail/test/fuzz/texts.ts'
import { canonicalIp, canonicalMailbox, metadataFromHeaders } from '../../http/metadata.ts'
import {
  parseArcAuthenticationResults,
  parseAuthenticationResults,
} from '../../sender-authentication/authentication-results.ts'
import { trustedResults } from '../../sender-authentication/trusted-results.ts'

const TRUSTED = ['mx.example.com']

export const SERVICE_PARSERS: Readonly<Record<string, Parser>> = {
  'results fields': { text: resultsField, fault: resultsFault },
  'trusted results': { text: resultsField, fault: trustFault },
  'metadata headers': { text: metadataText, fault: metadataFault },
}

function resultsFault(text: string): string | undefined {
  const results = parseAuthenticationResults(text)
  parseArcAuthenticationResults(text)
  if (results?.authservId === '') return 'no name'
  // A comment in front of the whole says nothing.
  const commented = parseAuthenticationResults(`(a "comment" \\) ; dkim=pass) ${text}`)
  const isSame = JSON.stringify(commented) === JSON.stringify(results)
  return isSame || text.length > 10_000 ? undefined : 'another after a comment'
}

/** Whatever `text` says, it changes nothing from below a field of a trusted or of another name. */
function trustFault(text: string): string | undefined {
  const field = (name: string, rawBody: string) => {
    return { name, spelledName: name, rawBody, body: rawBody }
  }
  const rest = [field('received', 'from x'), field('authentication-results', text)]
  const foreign = field('authentication-results', 'mx.example.net; dkim=pass')
  if (trustedResults({ fields: [foreign, ...rest] }, TRUSTED) !== undefined) return 'trusts another'
  const trusted = field('authentication-results', 'mx.example.com; dkim=fail; spf=fail; dmarc=fail')
  const results = trustedResults({ fields: [trusted, ...rest] }, TRUSTED)
  const words = [results?.spf, results?.dmarc, ...(results?.dkim ?? [])].map((it) => it?.result)
  return words.join(' ') === 'fail fail fail' ? undefined : 'trusts what stands below'
}

function metadataText(dice: Dice): string {
  const address = dice.make([addresses, line, noise])
  return [
    dice.pick(['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', '1.2.3', line(dice)]),
    address,
    line(dice),
  ].join('\n')
}

function metadataFault(text: string): string | undefined {
  const [senderIp, senderEmail, userId] = text.split('\n')
  const headers = {
    ...(senderIp === undefined ? {} : { 'x-sender-ip': senderIp }),
    ...(senderEmail === undefined ? {} : { 'x-sender-email': senderEmail }),
    ...(userId === undefined ? {} : { 'x-user-id': userId }),
  }
  const metadata = unlessRefused('HEADER_INVALID', () => metadataFromHeaders(headers))
  if (metadata === undefined) return undefined
  const { senderIp: ip, mailFrom } = metadata
  if (ip !== undefined && canonicalIp(ip) !== ip) return 'an address canonical only at first'
  if (mailFrom && canonicalMailbox(mailFrom) !== mailFrom)
    return 'a mailbox canonical only at first'
  return undefined
}
