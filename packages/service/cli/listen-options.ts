/** Where a process beside the service listens, and for whom, on the command line: for `Option.argParser`. */
import { BlockList, isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import {
  LISTEN_ADDRESS_RULE,
  type ListenAddress,
  parseListenAddress,
} from '../integrations/listen-address.ts'

export function listenAddresses(text: string): ListenAddress[] {
  return text.split(',').map((part) => {
    const address = parseListenAddress(part.trim())
    if (address !== undefined) return address
    throw new InvalidArgumentError(`Allowed: ${LISTEN_ADDRESS_RULE}.`)
  })
}

export function octalMode(text: string): number {
  if (/^0?[0-7]{3}$/.test(text)) return Number.parseInt(text, 8)
  throw new InvalidArgumentError('Allowed: three octal digits, such as 660.')
}

export function networks(text: string): BlockList {
  const list = new BlockList()
  for (const part of text.split(',')) addNetwork(list, part.trim())
  return list
}

function addNetwork(list: BlockList, text: string): void {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  const bits = family === 6 ? 128 : 32
  const length = prefix === undefined ? bits : Number(prefix)
  const isValid = family !== 0 && rest.length === 0 && prefix !== ''
  if (!isValid || !Number.isInteger(length) || length < 0 || length > bits) {
    throw new InvalidArgumentError(
      'Allowed: addresses and networks, such as 192.0.2.0/24,2001:db8::/32.',
    )
  }
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4')
}
