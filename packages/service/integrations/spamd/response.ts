/**
 * Answers of the spamd protocol: a status line with a number from sysexits.h, header lines, and for some
 * commands a body. A client that reads a number other than 0 passes the message on unscanned (spamc's
 * safe fallback), or has it tried again later (spamc -x).
 */

/** The numbers from sysexits.h that are used here, and spamd's own for a slow client and a large message. */
export const RESPONSES = {
  EX_OK: 0,
  EX_DATAERR: 65,
  EX_NOUSER: 67,
  EX_UNAVAILABLE: 69,
  EX_SOFTWARE: 70,
  EX_TEMPFAIL: 75,
  EX_PROTOCOL: 76,
  EX_TIMEOUT: 79,
  EX_TOOBIG: 98,
} as const

export type ResponseName = keyof typeof RESPONSES

/** Why a request was refused. */
export class Refusal extends Error {
  readonly response: ResponseName

  /** @param message a line of ASCII for the client and the log, with nothing of the mail in it. */
  constructor(response: ResponseName, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Refusal'
    this.response = response
  }
}

/** The status line and header lines in the order in which spamd writes them; some clients read them by position. */
export function okResponse(
  fields: readonly string[],
  body: readonly Uint8Array[] = [],
): Uint8Array[] {
  const lines = ['SPAMD/1.1 0 EX_OK', ...fields, '', '']
  return [Buffer.from(lines.join('\r\n'), 'latin1'), ...body]
}

/** The answer to PING. */
export const PONG = Buffer.from('SPAMD/1.5 0 PONG\r\n')

/** The answer to a refused request, which is one line. */
export function refusalResponse({ response, message }: Refusal): Uint8Array {
  return Buffer.from(`SPAMD/1.1 ${RESPONSES[response]} ${response} ${message}\r\n`, 'latin1')
}
