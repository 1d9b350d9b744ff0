/**
 * The administrator of a mail host: a Debian 12 on which Postfix and Dovecot deliver to mailboxes gets the
 * Debian package, the milter and Dovecot's scripts; then two messages by SMTP, and a correction by IMAP.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import {
  type DebianMachine,
  reasonForNoMachine,
  serviceReady,
  startDebian,
} from '../../test/debian-machine.ts'
import { eventually } from '../../test/eventually.ts'
import { blockOf, type Persona, Terminal, type Walk } from './walk.ts'

/** Made by scripts/ci-services. */
const DEBIAN = join(process.env['TAMIS_TEST_DEBIANS'] ?? '/opt/tamis-test', 'debian12-mail')

const INSTALLING = 'docs/installing.md'
const MILTER = 'docs/integrations/milter.md'
const DOVECOT = 'docs/integrations/dovecot.md'
const INTEGRATIONS = 'docs/integrations/README.md'

/** The Node of the package. */
const NODE = '/usr/lib/tamis/bin/node'

/** A mail host as it is before Tamis: mailboxes of vmail, to which Postfix delivers by Dovecot's LMTP. */
const MAIL_HOST = `
useradd --system --home-dir /var/vmail --shell /usr/sbin/nologin vmail
install -d -o vmail -g vmail /var/vmail
sed -i 's/^!include auth-system/#&/' /etc/dovecot/conf.d/10-auth.conf
cat >/etc/dovecot/local.conf <<END
ssl = no
mail_location = maildir:~/Maildir
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=vmail gid=vmail home=/var/vmail/%u allow_all_users=yes
}
service lmtp {
  unix_listener /var/spool/postfix/private/dovecot-lmtp {
    mode = 0600
    user = postfix
    group = postfix
  }
}
END
cp /usr/share/postfix/main.cf.debian /etc/postfix/main.cf
postconf -e 'myhostname = mx.example.com' 'mydestination =' 'alias_maps =' 'inet_protocols = ipv4' \\
  'virtual_mailbox_domains = example.com' 'virtual_transport = lmtp:unix:private/dovecot-lmtp'
systemctl restart dovecot postfix
`

export const ADMINISTRATOR: Persona = {
  name: 'administrator',
  title: 'A mail host: Postfix and Dovecot, from the Debian package',
  skip:
    spawnSync('dpkg-deb', ['--version']).status === 0
      ? reasonForNoMachine(DEBIAN)
      : 'dpkg-deb is not installed',
  go,
}

async function go(walk: Walk, clone: string): Promise<void> {
  const build = 'npm run package:deb'
  await walk.step(INSTALLING, `\`${build}\``, () => new Terminal(clone).run(build))
  const debian = await startDebian(DEBIAN, join(clone, 'dist'))
  try {
    // The clone is where the package was built.
    debian.run(`${MAIL_HOST}\nmkdir /root/clone\nln -s /shared /root/clone/dist`)
    await install(walk, debian)
    await connect(walk, debian)
    const folder = await sendTwo(walk, debian)
    await correctOne(walk, debian, folder)
    await remove(walk, debian)
  } finally {
    await debian.end()
  }
}

async function install(walk: Walk, debian: DebianMachine): Promise<void> {
  const command = blockOf(INSTALLING, 'sh', 'apt install ./dist').split('\n')[0]!
  await walk.step(INSTALLING, `\`${command}\`; the service runs`, async () => {
    debian.run(`cd /root/clone && ${command} --yes`)
    await serviceReady(debian, NODE)
  })
  await walk.step(INSTALLING, '`tamis --version`', () => {
    assert.match(debian.run('tamis --version'), /^\d+\.\d+\.\d+\n$/)
  })
}

async function connect(walk: Walk, debian: DebianMachine): Promise<void> {
  for (const words of ['systemctl enable --now tamis-milter', 'postconf -e']) {
    const commands = blockOf(MILTER, 'sh', words)
    await walk.step(MILTER, inOneLine(commands), () => debian.run(commands))
  }
  const commands = blockOf(DOVECOT, 'sh', 'install -d', 'doveadm reload')
  await walk.step(DOVECOT, 'the commands of *Set it up*, in `/usr/lib/tamis`', () =>
    debian.run(`cd /usr/lib/tamis\n${commands}`),
  )
}

/** GTUBE is in Junk, with its reasons; returns the folder of the ordinary message. */
async function sendTwo(walk: Walk, debian: DebianMachine): Promise<string> {
  await walk.step(INTEGRATIONS, 'send GTUBE and an ordinary message', async () => {
    debian.run(blockOf(INTEGRATIONS, 'sh', 'GTUBE'))
    await eventually(() => mailsOf(debian).length === 2, 'They are not delivered')
  })
  return walk.step(INTEGRATIONS, 'read where they are, and why; and the log', async () => {
    const [fetch = '', log = ''] = blockOf(INTEGRATIONS, 'sh', 'doveadm fetch').split('\n')
    assert.match(debian.run(fetch), /x-tamis-reasons: Almost certainly spam: it has the test text/i)
    const mails = mailsOf(debian)
    const gtube = mails.find(({ subject }) => subject === 'Test')
    assert.equal(gtube?.folder, 'Junk')
    assert.match(gtube.verdict, /^spam;/)
    const ordinary = mails.find(({ subject }) => subject === 'Saturday')
    assert.match(ordinary!.verdict, /^ham;/)
    assert.notEqual(ordinary!.folder, 'Junk')
    await eventually(() => debian.run(log).includes('TAMIS_GTUBE'), 'It is not in the log')
    return ordinary!.folder
  })
}

/** As a mail program would, by IMAP: the copy is a correction, and the next such message is spam for this user. */
async function correctOne(walk: Walk, debian: DebianMachine, folder: string): Promise<void> {
  await walk.step(INTEGRATIONS, 'move the second one to Junk (IMAP)', async () => {
    const url = `imap://127.0.0.1/${folder}`
    debian.run(`curl -sS --user ann@example.com:secret -X 'MOVE 1 Junk' ${url}`)
    await eventually(
      () => debian.run('tamis user show ann@example.com || :').startsWith('spam\t'),
      'The correction has not arrived',
    )
  })
  await walk.step(INTEGRATIONS, 'send it again: it is in Junk', async () => {
    const [, again = ''] = blockOf(INTEGRATIONS, 'sh', 'GTUBE').split(/\n(?=swaks)/)
    debian.run(again)
    await eventually(() => mailsOf(debian).length === 3, 'It is not delivered')
    const saturdays = mailsOf(debian).filter(({ subject }) => subject === 'Saturday')
    assert.deepEqual(
      saturdays.map((mail) => mail.folder),
      ['Junk', 'Junk'],
    )
  })
}

async function remove(walk: Walk, debian: DebianMachine): Promise<void> {
  const commands = blockOf(INSTALLING, 'sh', 'apt remove tamis')
  await walk.step(INSTALLING, 'the commands of *Remove*', () =>
    debian.run(commands.replace('apt remove', 'apt remove --yes')),
  )
  await walk.step(INSTALLING, 'mail is delivered as before', async () => {
    const [, ordinary = ''] = blockOf(INTEGRATIONS, 'sh', 'GTUBE').split(/\n(?=swaks)/)
    debian.run(ordinary)
    const mail = await eventually(() =>
      mailsOf(debian).find(({ folder, verdict }) => folder === 'INBOX' && verdict === ''),
    )
    assert.equal(mail.subject, 'Saturday')
  })
}

interface Mail {
  readonly folder: string
  readonly subject: string
  readonly verdict: string
}

/** All mail of ann. */
function mailsOf(debian: DebianMachine): Mail[] {
  const fetch =
    "doveadm -f tab fetch -u ann@example.com 'mailbox hdr.subject hdr.x-tamis-verdict' all"
  const [, ...lines] = debian.run(fetch).trimEnd().split('\n')
  return lines.map((line) => {
    const [folder = '', subject = '', verdict = ''] = line.split('\t')
    return { folder, subject, verdict }
  })
}

function inOneLine(commands: string): string {
  return commands
    .split('\n')
    .map((command) => `\`${command}\``)
    .join(', ')
}
