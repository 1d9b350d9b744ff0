/**
 * Twenty messages of different kinds, for tests that need more than one: personal mail, orders,
 * newsletters, lists, threads, campaigns, and some that lack what most have.
 */
const MESSAGES = `From: Ann <ann@example.org>
To: a@example.com
Subject: Saturday at the lake
Date: Fri, 20 Nov 2026 12:00:00 +0000
Message-ID: <lake@example.org>

Shall we meet at the boat house at ten? Bring the children and something warm to wear.
-----
From: Ann <ann@example.org>
To: a@example.com
Subject: Re: Saturday at the lake
References: <lake@example.org> <answer@example.com>
In-Reply-To: <answer@example.com>
Message-ID: <lake-again@example.org>

Ten is fine. I have borrowed two canoes from the neighbours; we need a third paddle.
-----
From: Claims Desk <claims@prize.example.com>
To: a@example.com
Subject: Your ticket was drawn, claim the prize before Friday
Message-ID: <draw-1@prize.example.com>

Dear winner, your ticket was drawn in the yearly lottery of our company. To claim the prize of
one million send your name, address and bank account to our agent before Friday.
-----
From: Claims Desk <claims@lucky.example.net>
To: a@example.com
Subject: Your ticket was drawn, claim the prize before Monday
Message-ID: <draw-2@lucky.example.net>

Dear winner, your ticket was drawn in the yearly lottery of our company. To claim the prize of
two million send your name, address and bank account to our agent before Monday.
-----
From: Shop <orders@shop.example.com>
To: a@example.com
Subject: Your order 4711 has been shipped
Message-ID: <4711@shop.example.com>

Thank you for your order 4711. It has been shipped today. Total: 30 EUR.
-----
From: Shop <news@shop.example.com>
To: a@example.com
Subject: Three days only: half price on all tents
List-Unsubscribe: <https://shop.example.com/leave>
Precedence: bulk
Message-ID: <tents@shop.example.com>

Half price on all tents until Sunday. Order now at https://shop.example.com/tents and save.
-----
From: Bo <bo@example.org>
To: gardeners@lists.example.org
List-Id: Gardeners <gardeners.lists.example.org>
List-Post: <mailto:gardeners@lists.example.org>
Subject: [gardeners] Frost
Message-ID: <frost@example.org>

Cover the roses with twigs before the first hard night, and water the evergreens once more.
-----
From: Cy <cy@example.net>
To: gardeners@lists.example.org
List-Id: Gardeners <gardeners.lists.example.org>
References: <frost@example.org>
Subject: Re: [gardeners] Frost
Message-ID: <frost-2@example.net>

Twigs of spruce are best. Straw rots, and mice like to live in it over the winter.
-----
From: Bank <service@bank.example.com>
To: a@example.com
Subject: Your statement for October
Message-ID: <statement@bank.example.com>

Your account statement for October is ready in the online bank. Closing balance: 1,204.17 EUR.
-----
From: "Bank Security" <alert@secure-bank.example.net>
Reply-To: desk@elsewhere.example.org
To: undisclosed-recipients:;
Subject: URGENT: your account will be suspended!!!
Message-ID: <alert@secure-bank.example.net>
Content-Type: text/html; charset=utf-8

<p>Your account was <b>limited</b>. <a href="http://192.0.2.7/login">https://bank.example.com</a>
Verify your password and card number within 24 hours.</p>
-----
From: Code <no-reply@login.example.com>
To: a@example.com
Subject: 482915 is your sign-in code
Message-ID: <code@login.example.com>

Your sign-in code is 482915. It is valid for ten minutes. Do not give it to anybody.
-----
From: Airline <tickets@air.example.com>
To: a@example.com
Subject: Booking confirmed: XK7PQ2
Message-ID: <xk7pq2@air.example.com>

Your booking XK7PQ2 is confirmed. Departure 3 December 07:40, seat 14C. Paid by card: 212 EUR.
-----
From: Builds <builds@ci.example.com>
To: a@example.com
Subject: Build 5120 failed on main
Auto-Submitted: auto-generated
Message-ID: <5120@ci.example.com>

Build 5120 failed in the step "test" after four minutes. Two of 1,204 tests did not pass.
-----
From: Pharmacy <deals@pills.example.net>
To: a@example.com
Subject: Cheap pills, no prescription
Message-ID: <pills@pills.example.net>

Best prices, no prescription needed, discreet delivery. Buy ten and get ten more for free!
http://pills.example.net/buy
-----
From: Museum <letter@museum.example.org>
To: a@example.com
Subject: This month in the museum
List-Id: <letter.museum.example.org>
List-Unsubscribe: <https://museum.example.org/leave>
Message-ID: <letter-11@museum.example.org>

Guided tours on Sundays, a lecture about river barges, and the workshop is open for children.
-----
From: =?utf-8?B?SsO8cmdlbg==?= <juergen@example.de>
To: a@example.com
Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_aus_dem_Harz?=
Content-Type: text/plain; charset=utf-8
Message-ID: <harz@example.de>

Wir sind gut angekommen. Es liegt schon Schnee, und morgen wollen wir auf den Brocken.
-----
From: Mail System <postmaster@mx.example.com>
To: a@example.com
Subject: Undelivered mail returned to sender
Auto-Submitted: auto-replied
Message-ID: <bounce@mx.example.com>

Your message to nobody@example.org could not be delivered: the mailbox does not exist.
-----
From: Fund <hello@charity.example.org>
To: a@example.com
Subject: A winter coat costs 20 EUR
List-Unsubscribe: <mailto:leave@charity.example.org>
Message-ID: <coat@charity.example.org>

Last winter you helped. Will you give again? Every coat keeps a child warm: donate today.
-----
To: a@example.com
Subject: no sender at all

A message without From, without Date and without Message-ID.
-----
From: Dee <dee@example.net>
To: a@example.com
Message-ID: <empty@example.net>
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: application/pdf; name=invoice.pdf
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--b--
`

export const MAILBAG: readonly string[] = MESSAGES.replaceAll('\n', '\r\n').split('-----\r\n')
