/** What is known in tests: reserved names, one or two of each kind. */
import { domainTable } from '../../knowledge/domain-table.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import { networkTable } from '../../knowledge/network-table.ts'

export const TEST_KNOWLEDGE: Knowledge = {
  version: 'test',
  domains: domainTable([
    ['bank.example', 'known'],
    ['shop.example', 'known'],
    ['xn--bcher-kva.example', 'known'],
    ['mailbox.example', 'mailbox'],
    ['people.example', 'account'],
    ['oneuse.example', 'disposable'],
    ['hosts.example', 'shared'],
    ['pages.example', 'pages'],
    ['files.bank.example', 'shared'],
    ['short.example', 'redirector'],
  ]),
  networks: networkTable(['192.0.2.0/24', '2001:db8::/32']),
}
