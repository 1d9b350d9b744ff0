/** Feeds in the forms in which their publishers send them; all names are reserved ones. */
import { gzipSync } from 'node:zlib'

/** The first URL in each sample. */
export const FIRST_URL = 'http://evil.example.com/login.php?a=1,2&b="x"'

export const URL_LIST = [FIRST_URL, 'https://phish.example.net/', 'http://192.0.2.1/a']

export const TEXT = `${URL_LIST.join('\n')}\n`

export const PHISHTANK_CSV = `phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target
8000001,"${FIRST_URL.replaceAll('"', '""')}",http://www.phishtank.com/phish_detail.php?phish_id=8000001,2026-11-01T10:00:00+00:00,yes,2026-11-01T11:00:00+00:00,yes,Other
8000002,https://phish.example.net/,http://www.phishtank.com/phish_detail.php?phish_id=8000002,2026-11-01T10:00:00+00:00,yes,2026-11-01T11:00:00+00:00,yes,"Example, Inc."
8000003,http://192.0.2.1/a,http://www.phishtank.com/phish_detail.php?phish_id=8000003,2026-11-01T10:00:00+00:00,yes,2026-11-01T11:00:00+00:00,yes,Other
`

export const URLHAUS_CSV = `################################################################
# abuse.ch URLhaus Database Dump (CSV - recent URLs only)      #
# Don't quote "this                                            #
################################################################
#
# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter
"8000001","2026-11-01 10:00:00","${FIRST_URL.replaceAll('"', '""')}","online","2026-11-01 10:00:00","malware_download","elf","https://urlhaus.abuse.ch/url/8000001/","someone"
"8000002","2026-11-01 10:00:00","https://phish.example.net/","offline","","malware_download","exe,zip","https://urlhaus.abuse.ch/url/8000002/","someone"
"8000003","2026-11-01 10:00:00","http://192.0.2.1/a","online","","malware_download","None","https://urlhaus.abuse.ch/url/8000003/","someone"
`

export const FORMS: Readonly<Record<string, string | Buffer>> = {
  text: TEXT,
  'text, packed': gzipSync(TEXT),
  'text with comments, blank lines and CR': `# a comment\r\n\r\n${URL_LIST.join('\r\n')}\r\n`,
  'text with a byte order mark': `\ufeff${TEXT}`,
  'PhishTank in CSV': PHISHTANK_CSV,
  'PhishTank in CSV, packed': gzipSync(PHISHTANK_CSV),
  'URLhaus in CSV': URLHAUS_CSV,
}

/** A text feed of `count` entries that no test looks into. */
export function textOf(count: number, host = 'many.example.com'): string {
  return Array.from({ length: count }, (_, i) => `http://${host}/page-${i}\n`).join('')
}
