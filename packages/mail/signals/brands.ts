/**
 * Companies in whose name others write: banks, carriers, shops, platforms, tax offices.
 *
 * One row each: the name as its mail spells it, then its registrable domains. A row that begins
 * with `~` has a name that is also a word or a person's name ('Chase', 'Target'): it counts only
 * where nothing but words of service stand beside it. The list holds the names most often borrowed
 * in phishing; a name that is missing costs a signal, never an error.
 */
import { wordSet } from '../message/word-set.ts'
import { isCheapTopLevel } from './link-hosts.ts'
import { skeleton } from './skeleton.ts'

export interface Brand {
  readonly name: string
  /** Name in lower case without spaces and signs, as it stands in domains: 'bankofamerica'. */
  readonly label: string
  /** The name is also a word or a person's name. */
  readonly isWord: boolean
  /** Registrable domains that are certainly the company's. */
  readonly domains: ReadonlySet<string>
}

const ROWS = `
PayPal paypal.com paypal-communication.com paypalobjects.com paypal-business.com paypal-notify.com
Amazon amazon.com amazonses.com amazonaws.com amazonbusiness.com a2z.com amazonpay.com primevideo.com audible.com
Microsoft microsoft.com microsoftonline.com office.com office365.com outlook.com live.com azure.com sharepointonline.com onmicrosoft.com windows.com msn.com microsoftemail.com xbox.com skype.com hotmail.com sharepoint.com
Office 365 microsoft.com office.com office365.com microsoftonline.com
OneDrive microsoft.com live.com onedrive.com sharepointonline.com
SharePoint microsoft.com sharepointonline.com sharepoint.com
~Outlook microsoft.com outlook.com live.com
Google google.com youtube.com gmail.com googlemail.com withgoogle.com google.dev goo.gl withyoutube.com android.com googlegroups.com
YouTube youtube.com google.com
~Apple apple.com icloud.com me.com itunes.com mac.com applecard.apple
iCloud apple.com icloud.com me.com
Facebook facebook.com facebookmail.com fb.com meta.com metamail.com
Instagram instagram.com facebookmail.com meta.com
WhatsApp whatsapp.com facebookmail.com meta.com
~Meta meta.com facebookmail.com metamail.com
LinkedIn linkedin.com
~Twitter twitter.com x.com
TikTok tiktok.com bytedance.com tiktokv.com
Snapchat snapchat.com snap.com
Netflix netflix.com
Spotify spotify.com
~Disney disney.com disneyplus.com disneyaccount.com disneystore.com go.com
Hulu hulu.com hulumail.com
eBay ebay.com
AliExpress aliexpress.com alibaba.com
Alibaba alibaba.com alibabacloud.com aliyun.com
Temu temu.com temuemail.com temuofficial.com
SHEIN shein.com sheinemail.com
Walmart walmart.com
~Target target.com
Costco costco.com
Best Buy bestbuy.com
Home Depot homedepot.com
Lowe's lowes.com
Walgreens walgreens.com
~CVS cvs.com
~Kroger kroger.com
~Tesco tesco.com
Sainsbury's sainsburys.co.uk
IKEA ikea.com ikea.net
Lidl lidl.com lidl-newsletter.com
ALDI aldi.us aldi.com aldi-sued.de aldi-nord.de
Zalando zalando.com zalando.de zalando-lounge.com
MediaMarkt mediamarkt.de mediamarkt.com
Mercado Libre mercadolibre.com mercadolivre.com.br mercadopago.com
Rakuten rakuten.co.jp rakuten.com rakuten-card.co.jp
DHL dhl.com dhl.de dhl-news.com dhl-paket.de deutschepost.de dpdhl.com
FedEx fedex.com
~UPS ups.com upsemail.com
USPS usps.com usps.gov
DPD dpd.com dpd.de dpd.co.uk dpdgroup.com
~Evri evri.com
~Hermes myhermes.de hermesworld.com hermes.com
~GLS gls-group.eu gls-group.com gls-pakete.de
Royal Mail royalmail.com
Canada Post canadapost.ca canadapost-postescanada.ca
Australia Post auspost.com.au
La Poste laposte.fr laposte.net laposte.info
Colissimo laposte.fr colissimo.fr
Chronopost chronopost.fr laposte.fr
~Correos correos.es correos.com
Poste Italiane poste.it posteitaliane.it
PostNL postnl.nl
bpost bpost.be
Swiss Post post.ch swisspost.ch
PostNord postnord.com postnord.se postnord.dk
InPost inpost.pl
Wells Fargo wellsfargo.com wellsfargoemail.com
~Chase chase.com jpmorgan.com jpmchase.com
JPMorgan jpmorgan.com jpmchase.com chase.com
Bank of America bankofamerica.com bofa.com ml.com
Citibank citi.com citibank.com citicorp.com
Capital One capitalone.com
American Express americanexpress.com aexp.com amex.com
Mastercard mastercard.com mastercard.us
~Visa visa.com
~Discover discover.com
US Bank usbank.com
PNC Bank pnc.com
TD Bank td.com tdbank.com
HSBC hsbc.com hsbc.co.uk
Barclays barclays.com barclays.co.uk barclaycard.co.uk barclaycardus.com
Lloyds Bank lloydsbank.com lloydsbank.co.uk lloydsbanking.com
NatWest natwest.com
~Santander santander.com santander.co.uk gruposantander.com
~Halifax halifax.co.uk lloydsbanking.com
~Nationwide nationwide.co.uk nationwide.com
~Monzo monzo.com
Revolut revolut.com
~Wise wise.com transferwise.com
Western Union westernunion.com wu.com
MoneyGram moneygram.com
~Zelle zellepay.com zelle.com
Cash App cash.app square.com squareup.com block.xyz
~Venmo venmo.com paypal.com
Klarna klarna.com
~Stripe stripe.com
Sparkasse sparkasse.de
Deutsche Bank db.com deutsche-bank.de
Commerzbank commerzbank.de commerzbank.com
Postbank postbank.de
ING-DiBa ing.de ing.com
~Comdirect comdirect.de
N26 n26.com
BNP Paribas bnpparibas.com bnpparibas.net bnpparibas.fr
Société Générale societegenerale.fr societegenerale.com socgen.com
Crédit Agricole credit-agricole.fr ca-mail.com
Intesa Sanpaolo intesasanpaolo.com
UniCredit unicredit.it unicredit.eu unicreditgroup.eu
CaixaBank caixabank.es caixabank.com
BBVA bbva.com bbva.es bbva.mx
Rabobank rabobank.nl rabobank.com
ABN AMRO abnamro.nl abnamro.com
UBS ubs.com
PostFinance postfinance.ch
Itaú itau.com.br itau-unibanco.com.br
Bradesco bradesco.com.br
Nubank nubank.com.br
Coinbase coinbase.com
Binance binance.com binance.us
~Kraken kraken.com
MetaMask metamask.io consensys.io
~Ledger ledger.com ledger.fr
Trust Wallet trustwallet.com
Blockchain.com blockchain.com
OpenSea opensea.io
DocuSign docusign.com docusign.net
~Adobe adobe.com adobesign.com echosign.com
Dropbox dropbox.com dropboxmail.com dropboxsign.com hellosign.com
WeTransfer wetransfer.com
~Zoom zoom.us zoom.com
GitHub github.com
GoDaddy godaddy.com secureserver.net
~Norton norton.com nortonlifelock.com gen.com gendigital.com
NortonLifeLock norton.com nortonlifelock.com gendigital.com
McAfee mcafee.com
Geek Squad bestbuy.com geeksquad.com
QuickBooks intuit.com quickbooks.com
Intuit intuit.com quickbooks.com turbotax.com mailchimp.com
TurboTax intuit.com turbotax.com
Booking.com booking.com
Airbnb airbnb.com
Expedia expedia.com expediamail.com
~Uber uber.com
~Lyft lyft.com lyftmail.com
DoorDash doordash.com
T-Mobile t-mobile.com telekom.de t-online.de
Verizon verizon.com verizonwireless.com vzw.com
AT&T att.com att.net att-mail.com
Xfinity xfinity.com comcast.com comcast.net
Vodafone vodafone.com
~Orange orange.fr orange.com
~Telekom telekom.de telekom.com t-online.de t-mobile.com
~Swisscom swisscom.ch swisscom.com
~Steam steampowered.com steamcommunity.com valvesoftware.com
Roblox roblox.com
Epic Games epicgames.com
PlayStation playstation.com sony.com playstationmail.com playstationemail.com
Nintendo nintendo.com nintendo.net nintendo-europe.com
Samsung samsung.com samsungusa.com
IRS irs.gov
HMRC hmrc.gov.uk tax.service.gov.uk
ELSTER elster.de
Medicare medicare.gov cms.gov
AARP aarp.org
Costa Coffee costa.co.uk
Starbucks starbucks.com
State Farm statefarm.com
~Geico geico.com
`

/** Tokens that may stand beside a brand whose name is also a word. */
const SERVICE_WORDS = wordSet(`
  account accounts admin alert alerts bank banking billing business card care center centre
  client cloud com customer customers department desk email fraud help helpdesk id inc info
  invoice kundenservice mail member members message news no noreply not notice notification
  notifications offer offers online order orders pay payment payments plus prime promo promotions
  protection refund reply reward rewards sales secure security service services shop sign store
  subscription support survey system team tech the update updates us verification verify via
`)

/** Letters and digits alone, in lower case: 'Bank of America' -> 'bankofamerica'. */
function joined(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** The same without marks on letters, as in domains: 'Itaú' -> 'itau'. */
function joinedPlain(name: string): string {
  return joined(name.normalize('NFKD'))
}

function readRow(row: string): Brand {
  const words = row.split(' ')
  // The first word with a dot that is not the brand's own name ('Booking.com') begins the domains.
  const domainsAt = words.findIndex((word, at) => at > 0 && /^[a-z0-9.-]+\.[a-z]+$/.test(word))
  const name = words.slice(0, domainsAt).join(' ').replace('~', '')
  return {
    name,
    label: joinedPlain(name.replace(/\.com$/, '')),
    isWord: row.startsWith('~'),
    domains: new Set(words.slice(domainsAt)),
  }
}

export const BRANDS: readonly Brand[] = ROWS.trim().split('\n').map(readRow)

/** Shorter labels stand inside too many other words and codes to be looked for in a host. */
const HOST_LABEL_LENGTH_MIN = 5

/** Shorter names look like too many words: 'über' is not Uber. */
const LOOK_ALIKE_LENGTH_MIN = 5

/** A slip of one letter makes a shorter name into some other word: 'Zelle', 'Zeile'. */
const NEAR_LENGTH_MIN = 7

/** Words of a display name that are looked at. */
const NAME_WORDS_MAX = 12

/** Longest brand, in words: 'Bank of America'. */
const BRAND_WORDS_MAX = 3

const BY_NAME: ReadonlyMap<string, Brand> = new Map(
  BRANDS.flatMap((brand): [string, Brand][] => [
    [joined(brand.name), brand],
    [brand.label, brand],
  ]),
)

/** In the usual cases of a name, since 'I' looks like 'l' and 'i' does not. */
const BY_SKELETON: ReadonlyMap<string, Brand> = new Map(
  BRANDS.filter((brand) => brand.label.length >= LOOK_ALIKE_LENGTH_MIN).flatMap((brand) => {
    const title = brand.label[0]!.toUpperCase() + brand.label.slice(1)
    const asSpelled = brand.name.replace(/[^\p{L}\p{N}]+/gu, '')
    return [brand.label, title, brand.label.toUpperCase(), asSpelled].map(
      (spelling): [string, Brand] => [skeleton(spelling), brand],
    )
  }),
)

const BY_DELETION: ReadonlyMap<string, Brand> = new Map(
  BRANDS.filter((brand) => brand.label.length >= NEAR_LENGTH_MIN).flatMap((brand) =>
    [brand.label, ...deletions(brand.label)].map((form): [string, Brand] => [form, brand]),
  ),
)

/** How the labels of brands begin and end: one slip leaves one of the two as it was. */
const NEAR_LABELS = BRANDS.map((brand) => brand.label).filter((it) => it.length >= NEAR_LENGTH_MIN)
const NEAR_STARTS: ReadonlySet<string> = new Set(NEAR_LABELS.map((label) => label.slice(0, 3)))
const NEAR_ENDS: ReadonlySet<string> = new Set(NEAR_LABELS.map((label) => label.slice(-3)))

/** `label` with each of its letters left out in turn. */
function deletions(label: string): string[] {
  return Array.from(label, (_, at) => label.slice(0, at) + label.slice(at + 1))
}

/** True when the registrable domain `domain` is the brand's. */
export function ownsDomain(brand: Brand, domain: string): boolean {
  if (brand.domains.has(domain)) return true
  // Large companies have their name in many countries: amazon.co.jp, paypal.fr.
  const countryCode = /\.[a-z]{2}$/.test(domain) && !isCheapTopLevel(domain)
  return countryCode && domain.startsWith(`${brand.label}.`)
}

/** A brand that is named, and whether by letters that only look like its own. */
export interface BrandMention {
  readonly brand: Brand
  readonly lookAlike: boolean
}

/** The first brand in the display name `name`, undefined when there is none. */
export function brandInName(name: string): BrandMention | undefined {
  const words = name
    .split(/[\s"'|/\\,:;!?()<>[\]{}_@*+=~#-]+/, NAME_WORDS_MAX)
    .filter((word) => word !== '')
  for (let start = 0; start < words.length; start += 1) {
    for (let count = Math.min(BRAND_WORDS_MAX, words.length - start); count > 0; count -= 1) {
      const mention = brandSpelled(words.slice(start, start + count).join(''))
      if (mention === undefined) continue
      const others = [...words.slice(0, start), ...words.slice(start + count)]
      if (!mention.brand.isWord || mention.lookAlike || others.every(isServiceWord)) return mention
    }
  }
  return undefined
}

function isServiceWord(word: string): boolean {
  return SERVICE_WORDS.has(word.toLowerCase().replace(/[^a-z]+/g, ''))
}

function brandSpelled(spelled: string): BrandMention | undefined {
  const exact = BY_NAME.get(joined(spelled.replace(/\.com$/i, '')))
  if (exact !== undefined) return { brand: exact, lookAlike: false }
  const similar = spelled.length < LOOK_ALIKE_LENGTH_MIN ? undefined : brandBySkeleton(spelled)
  return similar === undefined ? undefined : { brand: similar, lookAlike: true }
}

function brandBySkeleton(spelled: string): Brand | undefined {
  const similar = skeleton(spelled)
  return BY_SKELETON.get(/[^a-z0-9]/.test(similar) ? similar.replace(/[^a-z0-9]+/g, '') : similar)
}

/** The brand that one label of a host names, as a whole or between hyphens: 'paypal-help', 'paypa1'. */
export function brandInLabel(label: string): BrandMention | undefined {
  const tokens = label.includes('-') ? [label.replaceAll('-', ''), ...label.split('-')] : [label]
  for (const token of tokens) {
    if (token.length < HOST_LABEL_LENGTH_MIN) continue
    const exact = BY_NAME.get(token)
    if (exact === undefined) {
      const similar = brandBySkeleton(token)
      if (similar !== undefined) return { brand: similar, lookAlike: true }
    } else if (!exact.isWord) {
      return { brand: exact, lookAlike: false }
    }
  }
  return undefined
}

/** The brand that `label` is one slip of the keyboard away from: 'micorsoft', 'walmarrt'. */
export function brandNear(label: string): Brand | undefined {
  if (label.length < NEAR_LENGTH_MIN || BY_NAME.has(label)) return undefined
  if (!NEAR_STARTS.has(label.slice(0, 3)) && !NEAR_ENDS.has(label.slice(-3))) return undefined
  for (const form of [label, ...deletions(label)]) {
    const brand = BY_DELETION.get(form)
    if (brand !== undefined) return brand
  }
  return undefined
}
