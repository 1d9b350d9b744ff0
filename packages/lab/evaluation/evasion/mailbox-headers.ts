/**
 * Headers as mailbox providers write them around a private letter, which anybody can copy: hosts,
 * fields of their servers, and a signature that nothing was signed with. Only the recipient's own
 * server is not the forger's to write.
 */

/** What a provider is asked for. */
export interface Mailbox {
  /** The name in From, as it stands there. */
  readonly name: string
  readonly to: string
  readonly subject: string
  readonly date: string
}

/** Fields of a letter from a mailbox of that provider, each with its line end. */
export const MAILBOX_HEADERS: Readonly<Record<string, (mailbox: Mailbox) => string>> = {
  Gmail: ({ name, to, subject, date }) =>
    fields(
      'Received: from mail-ed1-f52.google.com (mail-ed1-f52.google.com [209.85.208.52]) by mx.example.org with ESMTPS',
      ` (version=TLSv1.3 cipher=TLS_AES_256_GCM_SHA384) id 4f2c1c8a; ${date}`,
      'Received: by mail-ed1-f52.google.com with SMTP id 4fb4d7f45d1cf-5d41a0b6c21so2151347a12.3',
      `        for <${to}>; ${date}`,
      signature('gmail.com', '20230601', 'to:subject:message-id:date:from:mime-version'),
      `X-Google-${signature('1e100.net', '20230601', 'to:subject:message-id:date:from:mime-version')}`,
      'X-Gm-Message-State: AOJu0YzT1bPq0v5Hn2cM8d1Wk7yQxR3uVfLs6eJgAa9oZi4t',
      'X-Gm-Gg: ASbGncsR2Vt7m1b9XkQe0dHy5Lw3uPz8',
      'X-Google-Smtp-Source: AGHT+IFq7dCk1zW9sEo3mYb5Xv2R8nUjTq6Lp0Ha4Gd',
      'X-Received: by 2002:a05:6402:1f0f:b0:5d4:1ac1:93b2 with SMTP id 4fb4d7f45d1cf-5d41ac193b2mr5120',
      `MIME-Version: 1.0`,
      `From: ${name} <m.hartmann.office@gmail.com>`,
      `Date: ${date}`,
      'X-Gm-Features: AWEUYZk3v9q1',
      'Message-ID: <CAJx5Qv8mT1b2KpZ0w=y3Rn7_dVhU6aXfEo4cLsG9iB@mail.gmail.com>',
      `Subject: ${subject}`,
      `To: ${to}`,
    ),
  Outlook: ({ name, to, subject, date }) =>
    fields(
      'Received: from EUR05-AM6-obe.outbound.protection.outlook.com (mail-am6eur05olkn2081.outbound.protection.outlook.com',
      ` [40.92.91.81]) by mx.example.org with ESMTPS id 7c1d4b2a; ${date}`,
      signature(
        'outlook.com',
        'selector1',
        'From:Date:Subject:Message-ID:Content-Type:MIME-Version',
      ),
      'Received: from AS8P190MB1512.EURP190.PROD.OUTLOOK.COM (2603:10a6:20b:3f4::18)',
      ' by PAXP190MB1621.EURP190.PROD.OUTLOOK.COM (2603:10a6:102:1ce::7) with Microsoft SMTP Server',
      ` (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.8466.16; ${date}`,
      `From: ${name} <m.hartmann.office@outlook.com>`,
      `To: "${to}" <${to}>`,
      `Subject: ${subject}`,
      `Thread-Topic: ${subject}`,
      'Thread-Index: AQHbf3gq2Z8n1x0eV0mB5y3kJ7wPsQ==',
      `Date: ${date}`,
      'Message-ID: <AS8P190MB15126C1F0B7D3A4E92A8F5D0B1C22@AS8P190MB1512.EURP190.PROD.OUTLOOK.COM>',
      'Accept-Language: en-US',
      'Content-Language: en-US',
      'X-MS-Has-Attach:',
      'X-MS-TNEF-Correlator:',
      'X-MS-PublicTrafficType: Email',
      'X-MS-Exchange-Transport-CrossTenantHeadersStamped: PAXP190MB1621',
      'X-OriginatorOrg: outlook.com',
      'MIME-Version: 1.0',
    ),
  iCloud: ({ name, to, subject, date }) =>
    fields(
      'Received: from st43p00im-ztdg10061801.me.com (st43p00im-ztdg10061801.me.com [17.58.63.171])',
      ` by mx.example.org with ESMTPS id 2b7e1f90; ${date}`,
      signature(
        'icloud.com',
        '1a1hai',
        'From:Content-Type:Mime-Version:Subject:Message-Id:Date:To',
      ),
      'Received: from smtpclient.apple (st43p00im-dlb-asmtp-mailmevip.me.com [17.42.251.41])',
      ` by st43p00im-ztdg10061801.me.com (Postfix) with ESMTPSA id 8D3C1A00145; ${date}`,
      `From: ${name} <m.hartmann.office@icloud.com>`,
      'Mime-Version: 1.0 (Mac OS X Mail 16.0 \\(3826.300.87.4.3\\))',
      `Subject: ${subject}`,
      'Message-Id: <5B1F7C02-9A3E-4D68-8E21-F4C70D9A6B35@icloud.com>',
      `Date: ${date}`,
      `To: ${to}`,
      'X-Mailer: Apple Mail (2.3826.300.87.4.3)',
      'X-Proofpoint-GUID: 3vJ1bQ7xR0mZ5kT9eW2yL8uH4dN6sC1f',
    ),
}

function signature(domain: string, selector: string, signed: string): string {
  return `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector};\r\n h=${signed};\r\n bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n b=kP3vW8Zq1n0c7Xb5mT2yR9eU4hL6sD1fGjAoVtQxEiYzNwCrBuHpMlKgJd5S0F8a`
}

function fields(...lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('')
}
