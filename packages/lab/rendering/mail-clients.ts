/**
 * Programs in which people write, and the systems that carry what they write: the fields each
 * sets, in its order and spelling. After messages of their versions of 2023 to 2025.
 *
 * A row of a header is 'Name: pattern' (pattern.ts); a row whose value the message does not have
 * is left out.
 */
import type { Shares } from './dice.ts'
import type { WordEncoding } from './header.ts'
import type { MimeHabit } from './mime.ts'
import type { PersonalMarkupName } from './personal-html.ts'

export type PartsForm = 'alternative' | 'html' | 'plain'

export interface MailClient {
  readonly name: string
  /** Fields that the program sets, from its first to its last. */
  readonly header: string
  readonly mime: MimeHabit
  readonly words: WordEncoding
  readonly markup: PersonalMarkupName
  readonly parts: Shares<PartsForm>
  /** Plain text in lines of this many characters; undefined for whole paragraphs. */
  readonly wrapAt?: number
  /** Lines are flowed (RFC 3676). */
  readonly flowed?: boolean
  /** Names in quotation marks even where they need none. */
  readonly quoteNames?: boolean
  /** What the program calls the telephone it runs on. */
  readonly device?: string
}

const GMAIL_MIME: MimeHabit = {
  boundary: '000000000000{hex:16}',
  charset: '"UTF-8"',
  plainEncoding: 'quoted-printable',
  htmlEncoding: 'quoted-printable',
}

const EXCHANGE_MIME: MimeHabit = {
  boundary: '_000_{BASE36:60}_',
  charset: '"utf-8"',
  narrowCharsets: true,
  plainEncoding: 'quoted-printable',
  htmlEncoding: 'quoted-printable',
  always: true,
  parameterBreak: '\n\t',
}

const EXCHANGE_HEADER = `
From: {from}
To: {to}
CC: {cc}
Subject: {subject}
Thread-Topic: {topic}
Thread-Index: Ad{base62:28}==
Date: {dateUtc}
Message-ID: <{BASE36:12}{HEX:20}@{BASE36:6}{digits:2}MB{digits:4}.eurprd{digits:2}.prod.outlook.com>
References: {references}
In-Reply-To: {inReplyTo}
Accept-Language: {locale}, en-US
Content-Language: {locale}
X-MS-Has-Attach: {attached}
X-MS-TNEF-Correlator:
{?30}msip_labels:
x-ms-publictraffictype: Email
x-ms-traffictypediagnostic: {BASE36:6}{digits:2}MB{digits:4}:EE_
x-ms-office365-filtering-correlation-id: {uuid}
x-ms-exchange-senderadcheck: 1
x-ms-exchange-antispam-relay: 0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
MIME-Version: 1.0
`

const THUNDERBIRD_MIME: MimeHabit = {
  boundary: '------------{base62:24}',
  charset: 'UTF-8',
  plainEncoding: '8bit',
  htmlEncoding: '8bit',
}

const APPLE_MIME: MimeHabit = {
  boundary: 'Apple-Mail=_{HEX:8}-{HEX:4}-{HEX:4}-{HEX:4}-{HEX:12}',
  charset: 'utf-8',
  narrowCharsets: true,
  plainEncoding: 'quoted-printable',
  htmlEncoding: 'quoted-printable',
  always: true,
  parameterBreak: '\n\t',
  encodingFirst: true,
}

export const MAIL_CLIENTS = {
  gmail: {
    name: 'Gmail on the web',
    header: `
MIME-Version: 1.0
References: {references}
In-Reply-To: {inReplyTo}
From: {from}
Reply-To: {replyTo}
Date: {date}
{?60}X-Gm-Features: A{base62:58}
Message-ID: <CA{base62:10}+{base62:28}={base62:9}@mail.gmail.com>
Subject: {subject}
To: {to}
Cc: {cc}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: GMAIL_MIME,
    words: 'B',
    markup: 'gmail',
    parts: [
      ['alternative', 97],
      ['plain', 3],
    ],
    wrapAt: 77,
  },
  'gmail app': {
    name: 'Gmail on a telephone',
    header: `
MIME-Version: 1.0
From: {from}
Date: {date}
Message-ID: <CA{base62:10}={base62:28}_{base62:9}@mail.gmail.com>
References: {references}
In-Reply-To: {inReplyTo}
Subject: {subject}
To: {to}
Cc: {cc}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: GMAIL_MIME,
    words: 'B',
    markup: 'gmail app',
    parts: [['alternative', 1]],
    wrapAt: 77,
  },
  'apple mail': {
    name: 'Apple Mail on macOS',
    header: `
From: {from}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
Mime-Version: 1.0 (Mac OS X Mail 16.0 \\({digits:4}.{digits:3}.{digits:1}\\))
Subject: {subject}
Reply-To: {replyTo}
Message-Id: <{HEX:8}-{HEX:4}-{HEX:4}-{HEX:4}-{HEX:12}@{host}>
In-Reply-To: {inReplyTo}
References: {references}
Date: {date}
Cc: {cc}
To: {to}
X-Mailer: Apple Mail (2.{digits:4}.{digits:3}.{digits:1})
`,
    mime: APPLE_MIME,
    words: 'Q',
    markup: 'apple mail',
    parts: [
      ['alternative', 65],
      ['plain', 35],
    ],
  },
  'apple ios': {
    name: 'Mail on an iPhone',
    header: `
From: {from}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
Mime-Version: 1.0 (1.0)
Date: {date}
Subject: {subject}
Message-Id: <{HEX:8}-{HEX:4}-{HEX:4}-{HEX:4}-{HEX:12}@{host}>
References: {references}
In-Reply-To: {inReplyTo}
Cc: {cc}
To: {to}
X-Mailer: iPhone Mail ({digits:2}{BASE36:1}{digits:3})
`,
    mime: { ...APPLE_MIME, boundary: 'Apple-Mail-{HEX:8}-{HEX:4}-{HEX:4}-{HEX:4}-{HEX:12}' },
    words: 'B',
    markup: 'apple ios',
    parts: [
      ['alternative', 70],
      ['plain', 30],
    ],
    device: 'iPhone',
  },
  outlook: {
    name: 'Outlook for Windows with Exchange',
    header: EXCHANGE_HEADER,
    mime: EXCHANGE_MIME,
    words: 'Q',
    markup: 'outlook desktop',
    parts: [
      ['alternative', 92],
      ['html', 5],
      ['plain', 3],
    ],
    quoteNames: true,
  },
  'outlook web': {
    name: 'Outlook on the web and Outlook.com',
    header: EXCHANGE_HEADER,
    mime: EXCHANGE_MIME,
    words: 'Q',
    markup: 'outlook web',
    parts: [['alternative', 1]],
    quoteNames: false,
  },
  'outlook imap': {
    name: 'Outlook for Windows with any server',
    header: `
From: {from}
To: {to}
Cc: {cc}
References: {references}
In-Reply-To: {inReplyTo}
Subject: {subject}
Date: {date}
Message-ID: <{hex:6}01{hex:6}\${hex:8}\${hex:8}$@{domain}>
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
X-Mailer: Microsoft Outlook 16.0
Thread-Index: A{base62:30}==
Content-Language: {locale}
`,
    mime: {
      boundary: '----=_NextPart_000_{HEX:4}_01DA{HEX:4}.{HEX:8}',
      charset: '"utf-8"',
      narrowCharsets: true,
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
      parameterBreak: '\n\t',
      preamble: 'This is a multipart message in MIME format.\r\n',
    },
    words: 'Q',
    markup: 'outlook desktop',
    parts: [
      ['alternative', 88],
      ['plain', 12],
    ],
    quoteNames: true,
  },
  thunderbird: {
    name: 'Thunderbird',
    header: `
Message-ID: <{uuid}@{host}>
Date: {date}
MIME-Version: 1.0
User-Agent: Mozilla Thunderbird
Subject: {subject}
To: {to}
Cc: {cc}
References: {references}
Content-Language: {locale}
From: {from}
Reply-To: {replyTo}
In-Reply-To: {inReplyTo}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: THUNDERBIRD_MIME,
    words: 'B',
    markup: 'thunderbird',
    parts: [
      ['alternative', 45],
      ['plain', 55],
    ],
    wrapAt: 72,
    flowed: true,
  },
  yahoo: {
    name: 'Yahoo Mail on the web',
    header: `
Date: {dateUtc} (UTC)
From: {from}
Reply-To: {replyTo}
To: {to}
Cc: {cc}
Message-ID: <{digits:10}.{digits:7}.{digits:13}@mail.yahoo.com>
In-Reply-To: {inReplyTo}
References: {references}
Subject: {subject}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
{?70}X-Mailer: WebService/1.1.2{digits:4} YMailNorrin
`,
    mime: {
      boundary: '----=_Part_{digits:7}_{digits:9}.{digits:13}',
      charset: 'UTF-8',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
      parameterBreak: '\n\t',
    },
    words: 'Q',
    markup: 'yahoo',
    parts: [['alternative', 1]],
  },
  roundcube: {
    name: 'Roundcube, as webmail of many hosts',
    header: `
MIME-Version: 1.0
Date: {date}
From: {from}
To: {to}
Cc: {cc}
Subject: {subject}
Reply-To: {replyTo}
In-Reply-To: {inReplyTo}
References: {references}
User-Agent: Roundcube Webmail/1.6.{digits:1}
Message-ID: <{hex:32}@{host}>
X-Sender: {fromAddress}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: '=_{hex:32}',
      charset: 'UTF-8',
      plainEncoding: '8bit',
      htmlEncoding: 'quoted-printable',
    },
    words: 'Q',
    markup: 'webmail',
    parts: [
      ['alternative', 40],
      ['plain', 60],
    ],
    wrapAt: 72,
    flowed: true,
  },
  fastmail: {
    name: 'Fastmail on the web',
    header: `
X-ME-Sender: <xms:{base62:60}>
X-ME-Proxy: <xmx:{base62:60}>
Feedback-ID: i{hex:8}:Fastmail
Received: by mailuser.nyi.internal (Postfix, from userid 501) id {HEX:12}; {date}
X-Mailer: MessagingEngine.com Webmail Interface
MIME-Version: 1.0
Date: {date}
From: {from}
To: {to}
Cc: {cc}
Message-Id: <{uuid}@app.fastmail.com>
In-Reply-To: {inReplyTo}
References: {references}
Subject: {subject}
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: '{hex:32}',
      charset: 'utf-8',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
    },
    words: 'Q',
    markup: 'fastmail',
    parts: [
      ['alternative', 60],
      ['plain', 40],
    ],
  },
  mutt: {
    name: 'Mutt',
    header: `
Date: {date}
From: {from}
To: {to}
Cc: {cc}
Subject: {subject}
Message-ID: <Z{base62:16}@{hostLabel}.{domain}>
References: {references}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Disposition: inline
Content-Transfer-Encoding: {transferEncoding}
In-Reply-To: {inReplyTo}
{?50}User-Agent: Mutt/2.2.{digits:1} (2024-01-15)
`,
    mime: {
      boundary: '{base62:16}',
      charset: 'utf-8',
      narrowCharsets: true,
      plainEncoding: '8bit',
      htmlEncoding: '8bit',
    },
    words: 'Q',
    markup: 'webmail',
    parts: [['plain', 1]],
    wrapAt: 72,
  },
  'k-9': {
    name: 'K-9 Mail on Android',
    header: `
Date: {date}
From: {from}
To: {to}
CC: {cc}
Subject: {subject}
User-Agent: K-9 Mail for Android
In-Reply-To: {inReplyTo}
References: {references}
Message-ID: <{HEX:8}-{HEX:4}-{HEX:4}-{HEX:4}-{HEX:12}@{host}>
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: '----{BASE36:30}',
      charset: 'utf-8',
      plainEncoding: 'quoted-printable',
      htmlEncoding: 'quoted-printable',
      always: true,
      parameterBreak: '\n ',
    },
    words: 'Q',
    markup: 'samsung',
    parts: [
      ['alternative', 55],
      ['plain', 45],
    ],
  },
  samsung: {
    name: 'Samsung Email on Android',
    header: `
Date: {date}
Subject: {subject}
Message-ID: <{base36:12}.{digits:13}@email.android.com>
In-Reply-To: {inReplyTo}
References: {references}
Importance: normal
From: {from}
To: {to}
Cc: {cc}
MIME-Version: 1.0
Content-Type: {contentType}
Content-Transfer-Encoding: {transferEncoding}
`,
    mime: {
      boundary: '--_com.samsung.android.email_{digits:16}',
      charset: 'utf-8',
      plainEncoding: 'base64',
      htmlEncoding: 'base64',
      always: true,
    },
    words: 'B',
    markup: 'samsung',
    parts: [['alternative', 1]],
    device: 'Galaxy',
  },
} satisfies Record<string, MailClient>

type MailClientName = keyof typeof MAIL_CLIENTS

/** Where a person's mailbox is: what carries the mail out, and which programs people use with it. */
export interface MailboxSystem {
  readonly name: string
  readonly clients: Shares<MailClientName>
  /** Fields set on the way out, above the program's own; the topmost first. */
  readonly transit: string
  /** The machine that hands the message to the reader's server. */
  readonly relay: string
  /** The domain that the system signs for, with a selector; {domain} the sender's own. */
  readonly signer: string
  readonly selector: string
  /** Instead of the owner's, where the owner has set nothing up. */
  readonly defaultSigner?: string
}

export const MAILBOX_SYSTEMS = {
  google: {
    name: 'Gmail and Google Workspace',
    clients: [
      ['gmail', 66],
      ['gmail app', 14],
      ['apple ios', 9],
      ['apple mail', 6],
      ['thunderbird', 3],
      ['outlook imap', 2],
    ],
    transit: `
Received: by mail-{lower:2}1-f{digits:2}.google.com with SMTP id {base36:17}.{digits:1} for <{rcpt}>; {date}
DKIM-Signature: {signature}
X-Google-DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=1e100.net; s=20230601; h=to:subject:message-id:date:from:mime-version:x-gm-message-state:from:to:cc:subject:date:message-id:reply-to; bh={base64:43}=; b={base64:70} {base64:76} {base64:30}==
X-Gm-Message-State: AOJu0Y{base62:60}
{?60}X-Gm-Gg: ASbGnc{base62:64}
X-Google-Smtp-Source: AGHT+I{base62:70}==
X-Received: by 2002:a05:{hex:4}:{hex:4}:b0:{hex:3}:{hex:4}:{hex:4} with SMTP id {base36:24}.{digits:2}.{digits:13}; {date}
`,
    relay: 'mail-{lower:2}1-f{digits:2}.google.com',
    signer: '{domain}',
    selector: '20230601',
    defaultSigner: '{dashed}.20230601.gappssmtp.com',
  },
  microsoft: {
    name: 'Microsoft 365 and Outlook.com',
    clients: [
      ['outlook', 52],
      ['outlook web', 48],
    ],
    transit: `
DKIM-Signature: {signature}
Received: from {BASE36:6}{digits:2}MB{digits:4}.eurprd{digits:2}.prod.outlook.com (2603:10a6:{hex:3}:{hex:2}::{hex:2}) by {BASE36:6}{digits:2}MB{digits:4}.eurprd{digits:2}.prod.outlook.com (2603:10a6:{hex:3}:{hex:3}::{digits:2}) with Microsoft SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.{digits:4}.{digits:2}; {dateUtc}
Received: from {BASE36:6}{digits:2}MB{digits:4}.eurprd{digits:2}.prod.outlook.com ([fe80::{hex:4}:{hex:4}:{hex:4}:{hex:4}]) by {BASE36:6}{digits:2}MB{digits:4}.eurprd{digits:2}.prod.outlook.com ([fe80::{hex:4}:{hex:4}:{hex:4}:{hex:4}%{digits:1}]) with mapi id 15.20.{digits:4}.0{digits:2}; {dateUtc}
`,
    relay: 'mail-{lower:5}0{digits:1}on2{digits:3}.outbound.protection.outlook.com',
    signer: '{domain}',
    selector: 'selector1',
    defaultSigner: '{tenant}.onmicrosoft.com',
  },
  yahoo: {
    name: 'Yahoo and AOL',
    clients: [
      ['yahoo', 75],
      ['apple ios', 14],
      ['samsung', 6],
      ['thunderbird', 5],
    ],
    transit: `
DKIM-Signature: {signature}
X-YMail-OSG: {base62:40}_{base62:60}
X-Sonic-MF: <{fromAddress}>
X-Sonic-ID: {uuid}
Received: from sonic.gate.mail.ne1.yahoo.com by sonic{digits:3}.consmr.mail.{lower:3}.yahoo.com with HTTP; {dateUtc}
`,
    relay: 'sonic{digits:3}-{digits:2}.consmr.mail.{lower:3}.yahoo.com',
    signer: '{domain}',
    selector: 's2048',
  },
  icloud: {
    name: 'iCloud',
    clients: [
      ['apple ios', 60],
      ['apple mail', 40],
    ],
    transit: `
Received: from p00-icloudmta-asmtp-us-central-1k-10-percent-{digits:1} by p00-icloudmta-asmtp-vip-{digits:1} (Postfix) with ESMTPS id {HEX:12} for <{rcpt}>; {dateUtc} (UTC)
DKIM-Signature: {signature}
X-Client-IP: 17.57.{digits:2}.{digits:2}
Received: from smtpclient.apple (qs-asmtp-me-k8s.p00.prod.me.com [17.57.{digits:2}.{digits:2}]) by p00-icloudmta-asmtp-us-central-1k-10-percent-{digits:1} (Postfix) with ESMTPSA id {HEX:12}; {dateUtc} (UTC)
`,
    relay: 'ci-{digits:4}{lower:4}-snip4-{digits:1}.eps.apple.com',
    signer: '{domain}',
    selector: '1a1hai',
  },
  fastmail: {
    name: 'Fastmail',
    clients: [
      ['fastmail', 80],
      ['apple mail', 20],
    ],
    transit: `
Received: from phl-compute-{digits:2}.internal (phl-compute-{digits:2}.nyi.internal [10.202.2.{digits:2}]) by mailfout.phl.internal (Postfix) with ESMTP id {HEX:12}; {date}
Received: from phl-imap-{digits:2} ([10.202.2.{digits:2}]) by phl-compute-{digits:2}.internal (MEProxy); {date}
DKIM-Signature: {signature}
`,
    relay: 'fout-{lower:1}{digits:1}-smtp.messagingengine.com',
    signer: '{domain}',
    selector: 'fm3',
  },
  hosted: {
    name: "A provider's or a company's own server",
    clients: [
      ['outlook imap', 22],
      ['thunderbird', 18],
      ['apple mail', 15],
      ['apple ios', 17],
      ['roundcube', 13],
      ['samsung', 5],
      ['k-9', 4],
      ['mutt', 6],
    ],
    transit: `
DKIM-Signature: {signature}
{?80}Received: from [{homeAddress}] ({line} [{ip}]) by {relay} (Postfix) with ESMTPSA id {HEX:10} for <{rcpt}>; {date}
`,
    relay: '{hostedRelay}',
    signer: '{domain}',
    selector: 'default',
  },
} satisfies Record<string, MailboxSystem>

export type MailboxSystemName = keyof typeof MAILBOX_SYSTEMS

/** Free-mail hosts by the system behind them; the others have servers of their own. */
export const SYSTEM_OF_HOST: readonly (readonly [RegExp, MailboxSystemName])[] = [
  [/^(?:gmail|googlemail)\.com$/, 'google'],
  [/^(?:outlook|hotmail|live|msn)\./, 'microsoft'],
  [/^(?:yahoo|ymail|rocketmail|aol)\./, 'yahoo'],
  [/^(?:icloud|me|mac)\.com$/, 'icloud'],
  [/^fastmail\./, 'fastmail'],
]

/** Where companies and families have domains of their own. */
export const OWN_DOMAIN_SYSTEMS: Shares<MailboxSystemName> = [
  ['microsoft', 36],
  ['google', 32],
  ['hosted', 24],
  ['yahoo', 3],
  ['icloud', 3],
  ['fastmail', 2],
]
