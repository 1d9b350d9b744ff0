/**
 * Platforms that send what strangers write, and notices of their own: forms, shared files, calendars,
 * signatures, invoices, tickets. Whoever writes through one, the message is the platform's: its
 * header fields, its servers and its signature for the domain in From. So spam that abuses a
 * platform is made as its honest mail is. After messages of 2023 to 2025.
 */
import type { Shares } from './dice.ts'
import type { PartsForm } from './mail-clients.ts'
import { MAILING_PROVIDERS, type MailingProvider } from './mailing-providers.ts'

const BOTH: Shares<PartsForm> = [['alternative', 1]]
const PAGE_OR_BOTH: Shares<PartsForm> = [
  ['html', 60],
  ['alternative', 40],
]

const GOOGLE: MailingProvider = {
  name: 'Google',
  header: `
DKIM-Signature: {ownSignature}
X-Google-DKIM-Signature: {serviceSignature}
X-Gm-Message-State: AOJu0Y{base62:60} {base62:60}
X-Google-Smtp-Source: AGHT+I{base62:70}
MIME-Version: 1.0
X-Received: by 2002:a05:{hex:4}:{hex:4}:b0:{hex:3}:{hex:4}:{hex:4} with SMTP id {base36:20}-{base36:22}.{digits:2}.{epochMs}; {date}
Reply-To: {replyTo}
{?25}X-No-Auto-Attachment: 1
Message-ID: <autogen-java-{uuid}@google.com>
Date: {dateUtc}
Subject: {subject}
From: {from}
To: {to}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
  mime: {
    boundary: '000000000000{hex:16}',
    charset: '"UTF-8"',
    plainEncoding: 'base64',
    htmlEncoding: 'quoted-printable',
    always: true,
  },
  words: 'B',
  quoteNames: true,
  relay: 'mail-{lower:2}1-f{digits:2}.google.com',
  serviceSigner: ['1e100.net', '20230601'],
  ownSelector: '20230601',
  pictures: 'https://www.gstatic.com/images/branding',
  unsubscribe: 'https://notifications.google.com/settings/unsubscribe?e={base62:40}',
  unsubscribeMail: 'mailto:unsubscribe@google.com',
  markup: [
    ['simple', 55],
    ['transactional', 30],
    ['nested', 15],
  ],
  parts: BOTH,
}

const MICROSOFT: MailingProvider = {
  name: 'Microsoft',
  header: `
DKIM-Signature: {ownSignature}
MIME-Version: 1.0
From: {from}
Reply-To: {replyTo}
To: {to}
Date: {dateUtc}
Subject: {subject}
{?40}X-MS-Exchange-Organization-AuthSource: {BASE36:14}.namprd{digits:2}.prod.outlook.com
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
Message-ID: <{uuid}@{BASE36:6}{digits:2}{HEX:8}>
X-OriginatorOrg: microsoft.com
{?50}X-Priority: 3
X-MS-PublicTrafficType: Email
X-MS-Office365-Filtering-Correlation-Id: {uuid}
`,
  mime: {
    boundary: '_{uuid}_',
    charset: 'utf-8',
    plainEncoding: 'base64',
    htmlEncoding: 'base64',
    always: true,
  },
  words: 'B',
  relay: 'mail-{lower:3}nam{digits:2}on{digits:4}.outbound.protection.outlook.com',
  ownSelector: 'selector2',
  pictures: 'https://static2.sharepointonline.com/files/fabric/assets',
  unsubscribe: 'https://go.microsoft.com/fwlink/?LinkId={digits:6}',
  unsubscribeMail: 'mailto:unsubscribe@microsoft.com',
  markup: [
    ['nested', 60],
    ['builder', 40],
  ],
  parts: PAGE_OR_BOTH,
}

const PAYPAL: MailingProvider = {
  name: 'PayPal',
  header: `
DKIM-Signature: {ownSignature}
Date: {dateUtc}
Message-ID: <{HEX:2}.{HEX:2}.{digits:5}.{HEX:8}@ccg{digits:2}mail{digits:2}>
AMQ-Delivery-Message-Id: nullval
X-PP-REQUESTED-TIME: {epochMs}
X-PP-Email-transmission-Id: {uuid}
PP-Correlation-Id: f{hex:13}
Subject: {subject}
X-MaxCode-Template: RT{digits:6}
To: {to}
From: {from}
X-Email-Type-Id: RT{digits:6}
X-PP-Priority: 0-none-false
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
  mime: {
    boundary: '--NextPart_{HEX:20}',
    charset: '"UTF-8"',
    plainEncoding: 'quoted-printable',
    htmlEncoding: 'quoted-printable',
    always: true,
  },
  words: 'B',
  quoteNames: true,
  relay: 'mx{digits:1}.slc.paypal.com',
  ownSelector: 'pp-dkim1',
  pictures: 'https://www.paypalobjects.com/digitalassets/c/system-triggered-email',
  pixel: 'https://www.paypal.com/ts?ppid=RT{digits:6}&cnac=US&rsta=en_US&unptid={uuid}',
  unsubscribe: 'https://www.paypal.com/us/smarthelp/notifications?t={base62:30}',
  unsubscribeMail: 'mailto:unsubscribe@paypal.com',
  markup: [
    ['nested', 70],
    ['builder', 30],
  ],
  parts: PAGE_OR_BOTH,
}

const DOCUSIGN: MailingProvider = {
  name: 'Docusign',
  header: `
DKIM-Signature: {ownSignature}
Sender: "DocuSign System" <{fromAddress}>
Reply-To: {replyTo}
Recipient-Id: {uuid}
Site-Id: {digits:1}
X-Email-Rejection-Mode: LearningMode
X-Debug: False
X-Api-Host: {host}
From: {from}
To: {to}
Message-ID: <{hex:32}@docusign.net>
Subject: {subject}
Date: {date}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
  mime: {
    boundary: '----=_NextPart_{HEX:8}_{HEX:8}.{HEX:8}',
    charset: '"utf-8"',
    plainEncoding: 'quoted-printable',
    htmlEncoding: 'quoted-printable',
    always: true,
    parameterBreak: '\n\t',
  },
  words: 'B',
  quoteNames: true,
  relay: 'mail{digits:2}.docusign.net',
  ownSelector: 'mail1',
  pictures: 'https://na{digits:1}.docusign.net/member/Images/email',
  unsubscribe: 'https://protect.docusign.net/unsubscribe?t={base62:40}',
  unsubscribeMail: 'mailto:unsubscribe@docusign.net',
  markup: [
    ['nested', 70],
    ['simple', 30],
  ],
  parts: BOTH,
}

/** Help desks and code forges: applications in Ruby, each with fields of its own. */
function rubyPlatform(
  name: string,
  fields: string,
  host: string,
  relay: string,
  selector: string,
): MailingProvider {
  return {
    name,
    header: `
DKIM-Signature: {ownSignature}
Date: {dateUtc}
From: {from}
Reply-To: {replyToOrFrom}
To: {to}
Message-ID: <{BASE36:10}_{hex:14}_{digits:6}@${host}>
Subject: {subject}
Mime-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
${fields}
`,
    mime: {
      boundary: '--==_mimepart_{hex:13}_{hex:14}{digits:5}',
      charset: 'UTF-8',
      plainEncoding: '7bit',
      htmlEncoding: 'quoted-printable',
      parameterBreak: '\n ',
    },
    words: 'B',
    relay,
    ownSelector: selector,
    pictures: `https://${host}/images`,
    unsubscribe: `https://${host}/notifications/unsubscribe-auth/{BASE36:40}`,
    unsubscribeMail: `mailto:unsub+{hex:32}@reply.${host}`,
    markup: [
      ['bare', 45],
      ['transactional', 35],
      ['simple', 20],
    ],
    parts: BOTH,
  }
}

const ZENDESK = rubyPlatform(
  'Zendesk',
  `X-Delivery-Context: event-id-{digits:14}
X-Mailer: Zendesk Mailer
Auto-Submitted: auto-generated
X-Auto-Response-Suppress: All
X-Zendesk-From-Account-Id: {hex:7}
X-Zendesk-Email-Id: {BASE36:26}`,
  'zendesk.com',
  'outbyoip{digits:1}.pod{digits:2}.use1.zdsys.com',
  'zendesk1',
)

const FRESHDESK = rubyPlatform(
  'Freshdesk',
  `Auto-Submitted: auto-replied
X-Auto-Response-Suppress: All
X-FD-Mail-Server: {digits:2}
X-FW-Ticket-Id: {digits:6}`,
  'freshdesk.com',
  'emailserver{digits:2}.freshemail.io',
  'fd',
)

const GITHUB = rubyPlatform(
  'GitHub',
  `Precedence: list
X-GitHub-Sender: {lower:8}
X-GitHub-Recipient: {lower:9}
X-GitHub-Reason: mention
List-ID: <{lower:8}.github.com>
List-Archive: https://github.com/{lower:7}/{lower:9}
List-Post: <mailto:reply+{BASE36:40}@reply.github.com>
List-Unsubscribe: <{listMail}>, <{listUrl}>
X-Auto-Response-Suppress: All
X-GitHub-Recipient-Address: {rcpt}`,
  'github.com',
  'out-{digits:2}.smtp.github.com',
  'pf2023',
)

const LINKEDIN: MailingProvider = {
  name: 'LinkedIn',
  header: `
DKIM-Signature: {ownSignature}
Date: {dateUtc}
From: {from}
Reply-To: {replyTo}
To: {to}
Message-ID: <{digits:9}.{digits:8}.{epochMs}@lor1-app{digits:5}.prod.linkedin.com>
Subject: {subject}
MIME-Version: 1.0
Content-Type: {contentType}
X-LinkedIn-Class: EMAIL-DEFAULT
X-LinkedIn-Template: email_notification_single
X-LinkedIn-fbl: m2-{base62:80}
X-LinkedIn-Id: {base36:6}-{base36:8}-{base36:2}
List-Unsubscribe: <{listUrl}>
List-Unsubscribe-Post: {oneClick}
Feedback-ID: email_notification_single:linkedin
Require-Recipient-Valid-Since: {rcpt}; {dateUtc}
`,
  mime: {
    boundary: '----=_Part_{digits:7}_{digits:9}.{digits:13}',
    charset: 'UTF-8',
    plainEncoding: 'quoted-printable',
    htmlEncoding: 'quoted-printable',
    parameterBreak: '\n\t',
  },
  words: 'Q',
  relay: 'mail{lower:1}-{lower:2}.linkedin.com',
  ownSelector: 'd2048-202308-00',
  pixel: 'https://www.linkedin.com/emimp/ip_{base62:60}.gif',
  pictures: 'https://static.licdn.com/aero-v1/sc/h',
  unsubscribe: 'https://www.linkedin.com/e/v2?e={base36:6}-{base36:8}&t=lun&midToken={base62:14}',
  unsubscribeMail: 'mailto:unsubscribe@linkedin.com',
  markup: [
    ['nested', 60],
    ['mjml', 40],
  ],
  parts: BOTH,
}

const FACEBOOK: MailingProvider = {
  name: 'Facebook',
  header: `
DKIM-Signature: {ownSignature}
X-Facebook: from 2401:db00:{hex:4}:{hex:3}:face:0:{hex:4}:0 ({base62:20}) by async.facebook.com with HTTP (ZuckMail)
Date: {dateUtc}
To: {to}
From: {from}
Reply-To: {replyToOrFrom}
Subject: {subject}
Message-ID: <{hex:32}@async.facebook.com>
X-Priority: 3
X-Mailer: ZuckMail [version 1.00]
Errors-To: {fromAddress}
Feedback-ID: 0:{lower:12}:Facebook
X-FACEBOOK-PRIORITY: {digits:1}
X-Auto-Response-Suppress: All
List-Unsubscribe: <{listUrl}>
MIME-Version: 1.0
Content-Type: {contentType}
`,
  mime: {
    boundary: 'b1_{base62:43}',
    charset: '"UTF-8"',
    plainEncoding: 'quoted-printable',
    htmlEncoding: 'quoted-printable',
    always: true,
  },
  words: 'B',
  quoteNames: true,
  relay: '66-220-{digits:3}-{digits:3}.mail-mail.facebook.com',
  ownSelector: 's1024-2013-q3',
  pixel: 'https://www.facebook.com/email_open_log_pic.php?mid={hex:26}',
  pictures: 'https://static.xx.fbcdn.net/rsrc.php/v4',
  unsubscribe: 'https://www.facebook.com/o.php?k={base62:16}&u={digits:15}&mid={hex:26}',
  unsubscribeMail: 'mailto:unsubscribe@facebookmail.com',
  markup: [
    ['nested', 80],
    ['simple', 20],
  ],
  parts: BOTH,
}

const STRIPE: MailingProvider = {
  ...rubyPlatform(
    'Stripe',
    'X-Stripe-EID: em_{base62:24}\n{?60}Feedback-ID: {digits:5}:stripe',
    'stripe.com',
    'o{digits:2}.ptr{digits:4}.e.stripe.com',
    's1',
  ),
  markup: [['nested', 1]],
}

/** The platform of an address, by its host; the first that fits. */
const PLATFORM_OF_HOST: readonly (readonly [RegExp, MailingProvider])[] = [
  [/(?:^|\.)google\.com$/, GOOGLE],
  [/(?:^|\.)(?:microsoft|sharepointonline|microsoftonline)\.com$/, MICROSOFT],
  [/(?:^|\.)paypal\.(?:com|[a-z]{2}|co\.uk)$/, PAYPAL],
  [/(?:^|\.)docusign\.(?:net|com)$/, DOCUSIGN],
  [/(?:^|\.)zendesk\.com$/, ZENDESK],
  [/(?:^|\.)freshdesk\.com$/, FRESHDESK],
  [/(?:^|\.)github\.com$/, GITHUB],
  [/(?:^|\.)linkedin\.com$/, LINKEDIN],
  [/(?:^|\.)(?:facebookmail|facebook|instagram)\.com$/, FACEBOOK],
  [/(?:^|\.)stripe\.com$/, STRIPE],
  [
    /(?:^|\.)(?:xero|shopifyemail|asana|figma|miro|zoom|discord|meetup|kajabi)\.(?:com|us)$/,
    MAILING_PROVIDERS.sendgrid,
  ],
  [
    /(?:^|\.)(?:dropbox|canva|typeform|trello|atlassian|eventbrite|squareup|surveymonkeyuser|wetransfer)\.com$|(?:^|\.)notion\.so$/,
    MAILING_PROVIDERS.ses,
  ],
  [/(?:^|\.)(?:jotform|discoursemail)\.com$|(?:^|\.)pandadoc\.net$/, MAILING_PROVIDERS.mailgun],
  [/(?:^|\.)(?:intuit|zohomail|x)\.com$/, MAILING_PROVIDERS.java],
  [/(?:^|\.)salesforce\.com$/, MAILING_PROVIDERS.salesforce],
]

/** The platform whose mail comes from `host`, if it is one. */
export function platformOf(host: string): MailingProvider | undefined {
  return PLATFORM_OF_HOST.find(([pattern]) => pattern.test(host))?.[1]
}
