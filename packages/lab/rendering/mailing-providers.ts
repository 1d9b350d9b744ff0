/**
 * Services and programs that send mailings and notices: the fields each sets, in its order and
 * spelling, and where its links lead. After their documentation and messages of 2023 to 2025.
 *
 * A row of a header is 'Name: pattern' (pattern.ts); a row whose value the message does not have
 * is left out: the List-* rows of mail that goes to no list, and signatures that are not made.
 */
import type { BulkMarkupName } from './bulk-markup.ts'
import type { Shares } from './dice.ts'
import type { WordEncoding } from './header.ts'
import type { PartsForm } from './mail-clients.ts'
import type { MimeHabit } from './mime.ts'

export interface MailingProvider {
  readonly name: string
  /** From the field below the reader's own Received down to the last. */
  readonly header: string
  readonly mime: MimeHabit
  readonly words: WordEncoding
  readonly quoteNames?: boolean
  /** The machine that hands the message to the reader's server. */
  readonly relay: string
  /** A signature in the service's name: its domain and selector. Undefined: it makes none. */
  readonly serviceSigner?: readonly [domain: string, selector: string]
  /** Selector of the signature in the sender's name. */
  readonly ownSelector: string
  /** How a counted link looks at the service's host, and at a host of the sender's. */
  readonly click?: string
  readonly ownClick?: string
  /** The picture that counts opened messages, at the same host as the link. */
  readonly pixel?: string
  /** Where pictures are kept. */
  readonly pictures: string
  readonly unsubscribe: string
  readonly unsubscribeMail: string
  readonly markup: Shares<BulkMarkupName>
  readonly parts: Shares<PartsForm>
}

const DESIGNED: Shares<BulkMarkupName> = [
  ['nested', 30],
  ['mjml', 26],
  ['builder', 22],
  ['transactional', 10],
  ['simple', 12],
]

const CODED: Shares<BulkMarkupName> = [
  ['nested', 18],
  ['mjml', 22],
  ['builder', 8],
  ['transactional', 28],
  ['simple', 14],
  ['bare', 10],
]

const MOSTLY_ALTERNATIVE: Shares<PartsForm> = [
  ['alternative', 88],
  ['html', 10],
  ['plain', 2],
]

/** Programs without a text editor of their own send what the developer gave them. */
const OFTEN_HTML_ONLY: Shares<PartsForm> = [
  ['alternative', 45],
  ['html', 45],
  ['plain', 10],
]

/** Companies' own systems are old or were written by somebody who reads mail in plain text. */
const OFTEN_PLAIN: Shares<PartsForm> = [
  ['alternative', 32],
  ['html', 33],
  ['plain', 35],
]

/** Senders without a service make simple pages: half of the modern spam of the corpora has no table. */
const OWN_PAGES: Shares<BulkMarkupName> = [
  ['bare', 45],
  ['simple', 35],
  ['transactional', 10],
  ['nested', 10],
]

const OWN_PARTS: Shares<PartsForm> = [
  ['alternative', 66],
  ['html', 30],
  ['plain', 4],
]

const JAVA_MIME: MimeHabit = {
  boundary: '----=_Part_{digits:6}_{digits:9}.{digits:13}',
  charset: 'UTF-8',
  plainEncoding: 'quoted-printable',
  htmlEncoding: 'quoted-printable',
  parameterBreak: '\n\t',
}

const GO_MIME: MimeHabit = {
  boundary: '{hex:60}',
  charset: 'utf-8',
  plainEncoding: 'quoted-printable',
  htmlEncoding: 'quoted-printable',
  always: true,
  encodingFirst: true,
}

const SENDGRID_HEADER = `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
Received: by recvd-{hex:10}-{base36:5} with SMTP id recvd-{hex:10}-{base36:5}-1-{HEX:8}-{HEX:2} {dateUtc}
Received: from {base62:10} (unknown) by geopod-ismtpd-{digits:2} (SG) with HTTP id {base62:22}; {dateUtc} (UTC)
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
Date: {dateUtc} (UTC)
From: {from}
Mime-Version: 1.0
Message-ID: <{base62:22}@geopod-ismtpd-{digits:2}>
Subject: {subject}
Reply-To: {replyTo}
List-Unsubscribe: <{listMail}>, <{listUrl}>
List-Unsubscribe-Post: {oneClick}
X-SG-EID: u001.{base62:60} {base62:72} {base62:40}
{?50}X-SG-ID: u001.{base62:60} {base62:72} {base62:72} {base62:30}
To: {to}
X-Entity-ID: u001.{base62:22}==
{?30}X-Feedback-ID: {digits:7}:SG
`

const SENDGRID_CLICK = '/ls/click?upn=u001.{base62:420}'

export const MAILING_PROVIDERS = {
  mailchimp: {
    name: 'Mailchimp',
    header: `
DKIM-Signature: {serviceSignature}
DKIM-Signature: {ownSignature}
Received: from localhost (localhost [127.0.0.1]) by {relay} (Mailchimp) with ESMTP id {base62:15} for <{rcpt}>; {dateUtc} (GMT)
Subject: {subject}
From: {from}
Reply-To: {replyToOrFrom}
To: {to}
Date: {dateUtc}
Message-ID: <{hex:25}.{hex:10}.{stamp}.{hex:10}.{hex:8}@{relay}>
X-Mailer: Mailchimp Mailer - **CID{hex:10}{hex:10}**
X-Campaign: mailchimp{hex:25}.{hex:10}
X-campaignid: mailchimp{hex:25}.{hex:10}
X-Report-Abuse: Please report abuse for this campaign here: https://mailchimp.com/contact/abuse/?u={hex:25}&id={hex:10}&e={hex:10}
X-MC-User: {hex:25}
{?80}Feedback-ID: {digits:8}:{digits:8}.{digits:7}:us{digits:2}:mc
{?60}List-ID: {hex:25}mc list <{hex:25}.{digits:6}.list-id.mcsv.net>
X-Accounttype: pd
List-Unsubscribe: <{listUrl}>, <{listMail}>
List-Unsubscribe-Post: {oneClick}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
MIME-Version: 1.0
`,
    mime: {
      boundary: '_----------=_MCPart_{digits:9}',
      charset: '"utf-8"',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
      preamble: 'This is a multi-part message in MIME format\r\n',
    },
    words: 'Q',
    quoteNames: true,
    relay: 'mail{digits:3}.{lower:3}{digits:3}.{service}',
    serviceSigner: ['mailchimpapp.net', 'k2'],
    ownSelector: 'k2',
    click:
      'https://{slug}.us{digits:2}.list-manage.com/track/click?u={hex:25}&id={hex:10}&e={hex:10}',
    pixel:
      'https://{slug}.us{digits:2}.list-manage.com/track/open.php?u={hex:25}&id={hex:10}&e={hex:10}',
    pictures: 'https://mcusercontent.com/{hex:25}/images/{uuid}',
    unsubscribe:
      'https://{slug}.us{digits:2}.list-manage.com/unsubscribe?u={hex:25}&id={hex:10}&t=b&e={hex:10}&c={hex:10}',
    unsubscribeMail:
      'mailto:unsubscribe-mc.us{digits:2}_{hex:25}.{hex:10}-{hex:10}@unsubscribe.mailchimpapp.net?subject=unsubscribe',
    markup: [
      ['mailchimp', 85],
      ['nested', 10],
      ['simple', 5],
    ],
    parts: [['alternative', 1]],
  },
  sendgrid: {
    name: 'Twilio SendGrid',
    header: SENDGRID_HEADER,
    mime: GO_MIME,
    words: 'B',
    relay: 'wrqvt{lower:3}.outbound-mail.sendgrid.net',
    serviceSigner: ['sendgrid.info', 'smtpapi'],
    ownSelector: 's1',
    click: `https://u{digits:7}.ct.sendgrid.net${SENDGRID_CLICK}`,
    ownClick: `https://{clickLabel}.{domain}${SENDGRID_CLICK}`,
    pixel: '/wf/open?upn=u001.{base62:180}',
    pictures: 'https://cdn.mcauto-images-production.sendgrid.net/{hex:16}/{uuid}',
    unsubscribe: 'https://u{digits:7}.ct.sendgrid.net/wf/unsubscribe?upn=u001.{base62:60}',
    unsubscribeMail: 'mailto:unsubscribe@em{digits:4}.{domain}?subject=unsubscribe',
    markup: CODED,
    parts: MOSTLY_ALTERNATIVE,
  },
  ses: {
    name: 'Amazon SES',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
Date: {dateUtc}
From: {from}
Reply-To: {replyTo}
To: {to}
Message-ID: <010{digits:1}01{hex:10}-{uuid}-000000@email.amazonses.com>
Subject: {subject}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
Feedback-ID: ::1.us-east-1.{base64:43}=:AmazonSES
X-SES-Outgoing: {dotted}-54.240.{digits:1}.{digits:2}
`,
    mime: JAVA_MIME,
    words: 'Q',
    relay: 'a{digits:1}-{digits:2}.smtp-out.amazonses.com',
    serviceSigner: ['amazonses.com', 'ug7nbtf4gccmlpwj322ax3p6ow6yfsug'],
    ownSelector: '{base36:32}',
    click:
      'https://{base36:8}.r.us-east-1.awstrack.me/L0/{encoded}/1/010001{hex:10}-{uuid}-000000/{base62:27}=',
    ownClick:
      'https://{clickLabel}.{domain}/CL0/{encoded}/1/010001{hex:10}-{uuid}-000000/{base62:40}=',
    pixel: '/I0/010001{hex:10}-{uuid}-000000/{base62:27}=',
    pictures: 'https://{slug}-email.s3.amazonaws.com/{hex:12}',
    unsubscribe: 'https://{www}.{domain}/email/unsubscribe?token={base62:44}',
    unsubscribeMail: 'mailto:unsubscribe@{domain}?subject=unsubscribe',
    markup: CODED,
    parts: OFTEN_HTML_ONLY,
  },
  mailgun: {
    name: 'Mailgun',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
X-Mailgun-Sending-Ip: {ip}
{?40}X-Mailgun-Sending-Ip-Pool-Name:
X-Mailgun-Sid: WyI{base62:60} {base62:16}==
Received: from <unknown> (<unknown> []) by {hex:12} with HTTP id {hex:24}; {dateUtc}
X-Mailgun-Sending-Ip: {ip}
List-Unsubscribe: <{listMail}>, <{listUrl}>
List-Unsubscribe-Post: {oneClick}
Sender: {fromAddress}
Date: {dateUtc}
Mime-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
Subject: {subject}
From: {from}
Reply-To: {replyTo}
To: {to}
Message-Id: <{stamp}.{hex:16}@{mgDomain}>
`,
    mime: { ...GO_MIME, charset: '"utf-8"', always: false },
    words: 'Q',
    relay: '{base36:3}.{mgDomain}',
    serviceSigner: ['mailgun.org', 'mg'],
    ownSelector: 'krs',
    click: 'https://email.mailgun.net/c/eJ{base62:330}',
    ownClick: 'https://email.mg.{domain}/c/eJ{base62:330}',
    pixel: '/o/eJ{base62:80}',
    pictures: 'https://{www}.{domain}/assets/email/{hex:8}',
    unsubscribe: 'https://email.mg.{domain}/u/eJ{base62:90}',
    unsubscribeMail: 'mailto:u+{base36:40}@mg.{domain}?subject=unsubscribe',
    markup: CODED,
    parts: MOSTLY_ALTERNATIVE,
  },
  postmark: {
    name: 'Postmark',
    header: `
DKIM-Signature: {serviceSignature}
DKIM-Signature: {ownSignature}
Received: by {relay} id h{base36:12} for <{rcpt}>; {date} (envelope-from <pm_bounces@pm.mtasv.net>)
X-PM-IP: {ip}
X-IADB-IP: {ip}
X-PM-Message-Id: {uuid}
X-PM-RCPT: |bTB8{base62:40}=|
X-PM-Message-Options: v1;1.{base62:22}.{base62:60}
Feedback-ID: s{digits:7}-_:s{digits:7}:a{digits:6}:postmark
X-Complaints-To: abuse@postmarkapp.com
X-Job: {digits:6}_{digits:8}
Date: {dateUtc}
From: {from}
Reply-To: {replyTo}
To: {to}
Message-ID: <{uuid}@mtasv.net>
Subject: {subject}
MIME-Version: 1.0
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: 'mk3-{hex:32}',
      charset: 'UTF-8',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
      always: true,
    },
    words: 'B',
    quoteNames: true,
    relay: 'sc-ord-mta{digits:3}.mtasv.net',
    serviceSigner: ['pm.mtasv.net', 'pm20221201'],
    ownSelector: '{digits:14}pm',
    click: 'https://click.pstmrk.it/3s/{encodedHost}/{base62:4}/{base62:6}/AQ/{uuid}/1/{base62:10}',
    ownClick:
      'https://{clickLabel}.{domain}/3s/{encodedHost}/{base62:4}/{base62:6}/AQ/{uuid}/1/{base62:10}',
    pixel: '/open/{uuid}',
    pictures: 'https://{www}.{domain}/images/mail',
    unsubscribe: 'https://unsubscribe.postmarkapp.com/v1/{base62:40}',
    unsubscribeMail: 'mailto:unsubscribe@{domain}',
    markup: [
      ['transactional', 70],
      ['simple', 15],
      ['mjml', 15],
    ],
    parts: MOSTLY_ALTERNATIVE,
  },
  klaviyo: {
    name: 'Klaviyo',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
Received: from {base62:16} (unknown) by geopod-ismtpd-{digits:2} (SG) with HTTP id {base62:22}; {dateUtc} (UTC)
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
Date: {dateUtc} (UTC)
From: {from}
Mime-Version: 1.0
Message-ID: <{base62:22}@geopod-ismtpd-{digits:2}>
Subject: {subject}
Reply-To: {replyToOrFrom}
{?60}Feedback-ID: {base62:6}:01{BASE36:24}:{base62:6}:klaviyo
{?40}List-Id: <{BASE36:26}.{base62:6}>
List-Unsubscribe: <{listUrl}>, <{listMail}>
List-Unsubscribe-Post: {oneClick}
X-Kmail-Account: {base62:6}
X-Kmail-Message: 01{BASE36:24}
X-Kmail-Relay: bulk
X-SG-EID: u001.{base62:60} {base62:60}
To: {to}
X-Entity-ID: u001.{base62:22}==
`,
    mime: { ...GO_MIME, always: false },
    words: 'B',
    relay: 'o{digits:2}.ptr{digits:4}.{domain}',
    serviceSigner: ['klaviyomail.com', 'kl'],
    ownSelector: 'kl',
    click: 'https://ctrk.klclick3.com/l/01{BASE36:24}_{digits:1}',
    ownClick: 'https://trk.{domain}/l/01{BASE36:24}_{digits:1}',
    pixel: '/o/01{BASE36:24}',
    pictures: 'https://d3k81ch9hvuctc.cloudfront.net/company/{base62:6}/images/{uuid}',
    unsubscribe:
      'https://manage.kmail-lists.com/subscriptions/unsubscribe?a={base62:6}&c=01{BASE36:24}&k={hex:32}&m=01{BASE36:24}&r={base62:7}',
    unsubscribeMail: 'mailto:unsubscribe@klaviyomail.com?subject=unsubscribe',
    markup: DESIGNED,
    parts: MOSTLY_ALTERNATIVE,
  },
  hubspot: {
    name: 'HubSpot',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
Date: {dateUtc}
From: {from}
Reply-To: {replyToOrFrom}
To: {to}
Message-ID: <{epochMs}.{uuid}@bf{digits:2}x.hubspotemail.net>
Subject: {subject}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
X-HS-Cid: {base62:22}
List-Unsubscribe: <{listUrl}>, <{listMail}>
List-Unsubscribe-Post: {oneClick}
Precedence: bulk
X-Report-Abuse-To: abuse@hubspot.com (see https://policy.hubspot.com/abuse-complaints)
{?60}Feedback-ID: aa{digits:6}:{digits:8}:{base62:6}:hubspotemail
`,
    mime: JAVA_MIME,
    words: 'Q',
    relay: '{base36:12}.{hubspotRelay}',
    serviceSigner: ['bf10x.hubspotemail.net', 'hs1'],
    ownSelector: 'hs1-{digits:8}',
    click: 'https://{base62:6}.na1.hubspotlinks.com/Ctc/{digits:2}+113/{base62:6}/{base62:220}',
    ownClick: 'https://{clickLabel}.{domain}/Ctc/{digits:2}+113/{base62:6}/{base62:220}',
    pixel: '/Cto/{digits:2}+113/{base62:6}/{base62:60}',
    pictures: 'https://hs-{digits:8}.f.hubspotemail.net/hub/{digits:8}/hubfs',
    unsubscribe:
      'https://hs-{digits:8}.s.hubspotemail.net/email-unsubscribe/email/unsubscribe?d={base62:120}',
    unsubscribeMail: 'mailto:1ax{base36:20}-{digits:8}@bf10x.hubspotemail.net?subject=unsubscribe',
    markup: [
      ['nested', 40],
      ['builder', 40],
      ['simple', 20],
    ],
    parts: [['alternative', 1]],
  },
  braze: {
    name: 'Braze, by SparkPost',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
X-MSFBL: {base62:44}|eyJ{base62:60} {base62:72} {base62:50}=
Received: from [10.{digits:2}.{digits:2}.{digits:1}] ([10.{digits:2}.{digits:2}.{digits:1}:{digits:5}]) by i-0{hex:16}.mta1vrest.sd.prd.sparkpost (envelope-from <msprvs1={base62:20}=bounces-{digits:6}@{fromHost}>) (ecelerity 4.4.1.20033 r(msys-ecelerity:tags/4.4.1.0)) with REST id {HEX:2}/{HEX:2}-{digits:5}-{HEX:8}; {dateUtc}
From: {from}
Subject: {subject}
Date: {dateUtc}
Message-ID: <{HEX:2}.{HEX:2}.{digits:5}.{HEX:8}@i-0{hex:16}.mta1vrest.sd.prd.sparkpost>
List-Unsubscribe: <{listMail}>, <{listUrl}>
List-Unsubscribe-Post: {oneClick}
{?60}Feedback-ID: {digits:6}:{hex:12}:braze:sp
Reply-To: {replyToOrFrom}
To: {to}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: '_----{base64:22}==_{HEX:2}/{HEX:2}-{digits:5}-{HEX:8}',
      charset: '"UTF-8"',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
      always: true,
      encodingFirst: true,
    },
    words: 'B',
    quoteNames: true,
    relay: 'mta-{digits:2}-{digits:2}.sparkpostmail.com',
    ownSelector: 'scph{digits:4}',
    serviceSigner: ['sparkpostmail.com', 'scph1122'],
    click: 'https://ablink.{fromHost}/ls/click?upn=u001.{base62:420}',
    ownClick: 'https://ablink.{fromHost}/ls/click?upn=u001.{base62:420}',
    pixel: '/ss/o/u001.{base62:60}/{digits:4}/{base62:22}/ho.gif',
    pictures:
      'https://cdn.braze.com/appboy/communication/assets/image_assets/images/{hex:24}/original.png?',
    unsubscribe: 'https://ablink.{fromHost}/unsub?upn=u001.{base62:100}',
    unsubscribeMail: 'mailto:unsubscribe+{hex:32}@unsubscribe.{fromHost}?subject=unsubscribe',
    markup: DESIGNED,
    parts: MOSTLY_ALTERNATIVE,
  },
  salesforce: {
    name: 'Salesforce Marketing Cloud',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
Received: by {relay} id h{base36:12} for <{rcpt}>; {date} (envelope-from <bounce-{digits:3}_HTML-{digits:8}-{digits:6}-{digits:9}-{digits:2}@bounce.{fromHost}>)
From: {from}
To: {to}
Subject: {subject}
Date: {datePadded}
List-Unsubscribe: <{listUrl}>, <{listMail}>
List-Unsubscribe-Post: {oneClick}
MIME-Version: 1.0
Reply-To: {replyToOrFrom}
{?30}List-ID: <{digits:6}.xt.local>
{?60}X-CSA-Complaints: csa-complaints@eco.de
X-SFMC-Stack: {digits:1}
x-job: {digits:9}_{digits:6}
Message-ID: <{uuid}@{lower:4}{digits:1}s{digits:2}mta{digits:3}.xt.local>
{?60}Feedback-ID: {digits:9}:{digits:6}:{ip}:sfmktgcld
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: '{base62:12}=_?:',
      charset: '"utf-8"',
      plainEncoding: '8bit',
      htmlEncoding: 'quoted-printable',
      parameterBreak: '\n\t',
      preamble: 'This is a multi-part message in MIME format.\r\n',
    },
    words: 'B',
    quoteNames: true,
    relay: 'mta{digits:2}.{fromHost}',
    serviceSigner: ['s{digits:1}.y.mc.salesforce.com', 'fbldkim{digits:1}'],
    ownSelector: '200608',
    click: 'https://cl.s{digits:2}.exct.net/?qs={hex:96}',
    ownClick: 'https://click.{fromHost}/?qs={hex:96}',
    pixel: '/open.aspx?{hex:20}-fe{hex:20}-fe{hex:18}-ff{hex:6}&d={digits:5}&bmt=0',
    pictures: 'https://image.{fromHost}/lib/fe{hex:20}/m/1/{uuid}',
    unsubscribe: 'https://click.{fromHost}/subscription_center.aspx?jwt=eyJ{base62:120}',
    unsubscribeMail: 'mailto:leave-fd{hex:40}@leave.{fromHost}',
    markup: [
      ['nested', 72],
      ['builder', 14],
      ['mjml', 14],
    ],
    parts: MOSTLY_ALTERNATIVE,
  },
  'constant contact': {
    name: 'Constant Contact',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
Message-ID: <{digits:10}.110{digits:10}.0.{digits:5}.0.{digits:12}.0@scheduler.constantcontact.com>
Date: {dateUtc}
From: {from}
Reply-To: {replyToOrFrom}
To: {to}
Subject: {subject}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
X-Campaign-Activity-ID: {uuid}
X-250ok-CID: {uuid}
X-Channel-ID: {uuid}
X-Return-Path-Hint: A{base62:22}_{base62:22}==_{digits:13}_{base62:22}==@in.constantcontact.com
X-Roving-Campaignid: {digits:11}
X-Roving-Id: 110{digits:10}.{digits:5}
X-Feedback-ID: {uuid}:{uuid}:110{digits:10}:CTCT
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
`,
    mime: JAVA_MIME,
    words: 'Q',
    relay: 'ccm{digits:3}.constantcontact.com',
    serviceSigner: ['auth.ccsend.com', '1000073432'],
    ownSelector: 'ctct1',
    click:
      'https://{base36:9}.cc.rs6.net/tn.jsp?f=001{base62:120}==&c={base62:40}==&ch={base62:40}==',
    pixel: 'https://{base36:9}.cc.rs6.net/on.jsp?ca={uuid}&a=110{digits:10}&c={uuid}&ch={uuid}',
    pictures: 'https://files.constantcontact.com/{hex:11}/{uuid}',
    unsubscribe: 'https://visitor.constantcontact.com/do?p=un&m=001{base62:30}&ch={uuid}&ca={uuid}',
    unsubscribeMail: 'mailto:unsubscribe@constantcontact.com',
    markup: [
      ['nested', 70],
      ['builder', 30],
    ],
    parts: [['alternative', 1]],
  },
  brevo: {
    name: 'Brevo',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
Received: by smtp-relay.sendinblue.com with ESMTP id {uuid}; {date}
Date: {dateUtc}
Subject: {subject}
Message-Id: <{stamp}.{digits:12}@smtp-relay.mailin.fr>
Origin-messageId: <{stamp}.{digits:12}@{domain}>
X-Mailin-EID: {base62:60} {base62:60}
To: {to}
Reply-To: {replyToOrFrom}
List-Unsubscribe: <{listUrl}>, <{listMail}>
List-Unsubscribe-Post: {oneClick}
From: {from}
X-Mailer: Sendinblue
X-sib-id: {base62:60} {base62:40}
X-CSA-Complaints: csa-complaints@eco.de
{?60}Feedback-ID: {ip}:{digits:7}_-1:{digits:7}:Sendinblue
Mime-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: { ...GO_MIME, charset: '"utf-8"', always: false },
    words: 'B',
    quoteNames: true,
    relay: '{lower:2}.d.mailin.fr',
    serviceSigner: ['sendinblue.com', 'mail'],
    ownSelector: 'brevo1',
    click: 'https://{base36:7}.r.sp1-brevo.net/mk/cl/f/sh/{base62:26}/{base62:12}',
    ownClick: 'https://r.{clickLabel}.{domain}/mk/cl/f/sh/{base62:26}/{base62:12}',
    pixel: '/mk/op/sh/{base62:26}/{base62:12}',
    pictures: 'https://img.mailinblue.com/{digits:7}/images/content_library/original/{hex:24}',
    unsubscribe: 'https://{base36:7}.r.sp1-brevo.net/mk/un/v2/sh/{base62:26}/{base62:12}',
    unsubscribeMail: 'mailto:unsubscribe@{domain}',
    markup: [
      ['builder', 45],
      ['nested', 35],
      ['mjml', 20],
    ],
    parts: MOSTLY_ALTERNATIVE,
  },
  'campaign monitor': {
    name: 'Campaign Monitor',
    header: `
DKIM-Signature: {ownSignature}
DKIM-Signature: {serviceSignature}
Received: by {relay} id h{base36:12} for <{rcpt}>; {date} (envelope-from <{slug}-{base36:18}@cmail20.com>)
From: {from}
To: {to}
Reply-To: {replyToOrFrom}
Date: {date}
Subject: {subject}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
MIME-Version: 1.0
List-Unsubscribe: <{listMail}>, <{listUrl}>
List-Unsubscribe-Post: {oneClick}
{?50}List-ID: <{base36:32}.createsend.com>
X-Complaints-To: abuse@cmail20.com
{?60}Feedback-ID: {digits:8}:{digits:5}:{digits:4}:createsend
Message-ID: <cm.{digits:12}.{base36:14}.{lower:2}.{lower:1}.{lower:2}@cmail20.com>
`,
    mime: {
      boundary: '_=aspNetEmail=_{hex:32}',
      charset: '"utf-8"',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
    },
    words: 'Q',
    relay: 'mo{digits:2}.cmail20.com',
    serviceSigner: ['cmail20.com', 'cm'],
    ownSelector: 'cm',
    click: 'https://{slug}.cmail20.com/t/{lower:1}-l-{lower:12}-{lower:9}-{lower:1}/',
    ownClick: 'https://{clickLabel}.{domain}/t/{lower:1}-l-{lower:12}-{lower:9}-{lower:1}/',
    pixel: '/t/{lower:1}-o-{lower:12}-{lower:9}/o.gif',
    pictures:
      'https://i{digits:1}.createsend1.com/ei/{lower:1}/{HEX:2}/{HEX:3}/{HEX:3}/{digits:6}/csfinal',
    unsubscribe: 'https://{slug}.cmail20.com/t/{lower:1}-u-{lower:12}-{lower:9}-{lower:1}/',
    unsubscribeMail: 'mailto:unsubscribe-{base36:18}@cmail20.com?subject=Unsubscribe',
    markup: DESIGNED,
    parts: [['alternative', 1]],
  },
  phpmailer: {
    name: 'A web site with PHPMailer and a mail server of its own',
    header: `
DKIM-Signature: {ownSignature}
Received: by {relay} (Postfix, from userid 33) id {HEX:10}; {date}
To: {to}
Subject: {subject}
{?35}X-PHP-Originating-Script: 1000:PHPMailer.php
Date: {date}
From: {from}
Reply-To: {replyTo}
Message-ID: <{base62:43}@{relay}>
X-Mailer: PHPMailer 6.{digits:1}.{digits:1} (https://github.com/PHPMailer/PHPMailer)
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: 'b1={base62:43}',
      charset: 'UTF-8',
      plainEncoding: '8bit',
      htmlEncoding: 'quoted-printable',
      preamble: 'This is a multi-part message in MIME format.\r\n',
    },
    words: 'Q',
    relay: '{serverLabel}.{domain}',
    ownSelector: 'default',
    ownClick: 'https://{www}.{domain}/track/click.php?c={digits:4}&s={hex:32}',
    pixel: '/track/open.php?c={digits:4}&s={hex:32}',
    pictures: 'https://{www}.{domain}/images/mail',
    unsubscribe: 'https://{www}.{domain}/unsubscribe.php?id={hex:32}',
    unsubscribeMail: 'mailto:unsubscribe@{domain}',
    markup: [
      ['simple', 38],
      ['bare', 30],
      ['nested', 20],
      ['transactional', 12],
    ],
    parts: OFTEN_HTML_ONLY,
  },
  java: {
    name: 'A company system in Java',
    header: `
DKIM-Signature: {ownSignature}
Received: from {hostLabel}.{domain} ({hostLabel}.{domain} [{ip}]) by {relay} (Postfix) with ESMTP id {HEX:10} for <{rcpt}>; {date} (CET)
Date: {date} (CET)
From: {from}
Reply-To: {replyTo}
To: {to}
Message-ID: <{digits:9}.{digits:5}.{epochMs}@{hostLabel}.{domain}>
Subject: {subject}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
{?50}Auto-Submitted: auto-generated
{?15}X-Auto-Response-Suppress: All
`,
    mime: JAVA_MIME,
    words: 'Q',
    relay: '{serverLabel}.{domain}',
    ownSelector: 'mail',
    ownClick: 'https://{clickLabel}.{domain}/r/{base62:40}',
    pixel: '/o/{base62:40}.gif',
    pictures: 'https://{www}.{domain}/static/email',
    unsubscribe: 'https://{www}.{domain}/preferences/unsubscribe?u={base62:32}',
    unsubscribeMail: 'mailto:unsubscribe@{domain}',
    markup: CODED,
    parts: OFTEN_PLAIN,
  },
  python: {
    name: 'A web application in Python or Ruby',
    header: `
DKIM-Signature: {ownSignature}
Received: from {hostLabel} (unknown [10.0.{digits:1}.{digits:2}]) by {relay} (Postfix) with ESMTPS id {HEX:10} for <{rcpt}>; {dateUtc} (UTC)
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
MIME-Version: 1.0
Subject: {subject}
From: {from}
To: {to}
Reply-To: {replyTo}
Date: {dateUtc}
Message-ID: <{digits:15}.{digits:2}.{digits:19}@{hostLabel}.{domain}>
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
{?50}Auto-Submitted: auto-generated
`,
    mime: {
      boundary: '================{digits:19}==',
      charset: '"utf-8"',
      plainEncoding: '8bit',
      htmlEncoding: '8bit',
    },
    words: 'B',
    relay: '{serverLabel}.{domain}',
    ownSelector: 'default',
    ownClick: 'https://{clickLabel}.{domain}/l/{base62:22}',
    pixel: '/p/{base62:22}.png',
    pictures: 'https://{www}.{domain}/static/img',
    unsubscribe: 'https://{www}.{domain}/u/{base62:28}/',
    unsubscribeMail: 'mailto:unsubscribe@{domain}',
    markup: [
      ['transactional', 35],
      ['simple', 30],
      ['bare', 20],
      ['mjml', 15],
    ],
    parts: OFTEN_PLAIN,
  },
  dotnet: {
    name: 'A company system in .NET or behind Exchange',
    header: `
DKIM-Signature: {ownSignature}
Received: from {HEX:8} ([10.{digits:1}.{digits:2}.{digits:2}]) by {relay} with Microsoft SMTPSVC(10.0.17763.1697); {date}
MIME-Version: 1.0
From: {from}
To: {to}
Reply-To: {replyTo}
Date: {date}
Subject: {subject}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
Message-ID: <{BASE36:6}{base62:16}{hex:8}@{relay}>
{?20}X-Priority: 3
{?10}Importance: high
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
`,
    mime: {
      boundary: '--boundary_{digits:4}_{uuid}',
      charset: 'utf-8',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'base64',
      always: true,
    },
    words: 'B',
    quoteNames: true,
    relay: '{serverLabel}.{domain}',
    ownSelector: 'selector1',
    ownClick: 'https://{clickLabel}.{domain}/c.aspx?id={uuid}',
    pixel: '/o.aspx?id={uuid}',
    pictures: 'https://{www}.{domain}/emailimages',
    unsubscribe: 'https://{www}.{domain}/Unsubscribe.aspx?id={uuid}',
    unsubscribeMail: 'mailto:unsubscribe@{domain}',
    markup: [
      ['nested', 40],
      ['simple', 40],
      ['bare', 20],
    ],
    parts: OFTEN_PLAIN,
  },
  'own mailer': {
    name: 'A sender with a mail server of its own, and few fields beside those that must be',
    header: `
DKIM-Signature: {ownSignature}
Reply-To: {replyToOrFrom}
From: {from}
To: {to}
Subject: {subject}
Date: {date}
Message-ID: <{base36:24}.{digits:10}@{domain}>
List-Unsubscribe: <{listMail}>, <{listUrl}>
List-Unsubscribe-Post: {oneClick}
{?65}MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: '{hex:32}',
      charset: 'utf-8',
      plainEncoding: '8bit',
      htmlEncoding: '8bit',
      always: true,
    },
    words: 'B',
    quoteNames: false,
    relay: '{serverLabel}.{domain}',
    ownSelector: 'default',
    ownClick: 'https://{www}.{domain}/c/{base36:60}',
    pixel: '/o/{base36:16}.gif',
    pictures: 'https://{www}.{domain}/img',
    unsubscribe: 'https://{www}.{domain}/u/{base36:20}',
    unsubscribeMail: 'mailto:unsubscribe-{base36:16}@{domain}',
    markup: OWN_PAGES,
    parts: OWN_PARTS,
  },
  'own script': {
    name: 'A script of its own on a server of its own',
    header: `
DKIM-Signature: {ownSignature}
Mime-Version: 1.0
Date: {dateUtc}
From: {from}
Message-ID: <{BASE36:12}.{digits:8}@{serverLabel}.{domain}>
Subject: {subject}
Reply-To: {replyToOrFrom}
To: {to}
{?10}X-Priority: 3
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: '{digits:10}_{base36:16}',
      charset: 'utf-8',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
      always: true,
    },
    words: 'B',
    quoteNames: true,
    relay: '{serverLabel}.{domain}',
    ownSelector: 'default',
    ownClick: 'https://{www}.{domain}/c/{base36:60}',
    pixel: '/o/{base36:16}.gif',
    pictures: 'https://{www}.{domain}/img',
    unsubscribe: 'https://{www}.{domain}/u/{base36:20}',
    unsubscribeMail: 'mailto:unsubscribe-{base36:16}@{domain}',
    markup: OWN_PAGES,
    parts: OWN_PARTS,
  },
} satisfies Record<string, MailingProvider>

export type MailingProviderName = keyof typeof MAILING_PROVIDERS

/** What carries a campaign: by customers of the services and by mail volume, roughly. */
export const CAMPAIGN_PROVIDERS: Shares<MailingProviderName> = [
  ['mailchimp', 14],
  ['salesforce', 13],
  ['klaviyo', 11],
  ['sendgrid', 10],
  ['ses', 10],
  ['braze', 8],
  ['hubspot', 6],
  ['brevo', 6],
  ['constant contact', 6],
  ['campaign monitor', 5],
  ['phpmailer', 5],
  ['mailgun', 3],
  ['java', 2],
  ['dotnet', 1],
]

/** What carries notices: services for single messages, and companies' own systems. */
export const NOTICE_PROVIDERS: Shares<MailingProviderName> = [
  ['ses', 20],
  ['sendgrid', 14],
  ['java', 14],
  ['postmark', 8],
  ['mailgun', 8],
  ['dotnet', 8],
  ['python', 8],
  ['phpmailer', 7],
  ['salesforce', 6],
  ['braze', 4],
  ['brevo', 3],
]

/** What carries letters that no mail program sent: offices' systems and sales tools. */
export const OFFICE_PROVIDERS: Shares<MailingProviderName> = [
  ['phpmailer', 3],
  ['mailgun', 2],
  ['hubspot', 2],
  ['python', 2],
  ['dotnet', 1],
]

/**
 * What carries mail with the address of a company that did not send it: scripts on servers that
 * were broken into or hired, and accounts with services, which sign for themselves.
 */
export const FORGING_PROVIDERS: Shares<MailingProviderName> = [
  ['phpmailer', 40],
  ['python', 14],
  ['java', 12],
  ['dotnet', 12],
  ['sendgrid', 10],
  ['ses', 7],
  ['mailgun', 5],
]

/** What senders without a service use, for mailings and notices alike. */
export const OWN_PROVIDERS: Shares<MailingProviderName> = [
  ['own mailer', 60],
  ['own script', 40],
]
