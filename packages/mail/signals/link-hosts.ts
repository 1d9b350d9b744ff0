/**
 * Hosts where a link's domain does not tell whose page it leads to: shorteners, free hosting,
 * cloud storage, forms and messengers. Each is used by honest senders too; it is a fact, not a
 * verdict.
 */
import { wordSet } from '../message/word-set.ts'

/** Services that answer with a redirect to an address that anyone may have given them. */
const SHORTENERS = wordSet(`
  bit.ly bitly.com tinyurl.com goo.gl t.co ow.ly is.gd v.gd buff.ly rebrand.ly cutt.ly shorturl.at
  short.io rb.gy t.ly tiny.cc bl.ink lnkd.in s.id soo.gd clck.ru u.to vk.cc goo.su qr.ae
  adf.ly bc.vc ouo.io shorte.st linktr.ee trib.al dlvr.it ift.tt fb.me youtu.be amzn.to
  amzn.eu a.co apple.co g.co aka.ms wp.me tr.im x.co j.mp po.st mcaf.ee snip.ly hubs.ly hubs.la
  shrtco.de tny.im urlz.fr lc.chat surl.li zpr.io han.gl vo.la me2.do dwz.cn t.cn url.cn suo.im
  qrco.de l.ead.me me-qr.com q-r.to scnv.io tinylink.net shorturl.asia kutt.it lihi.cc reurl.cc
`)

/** Where anyone can put up a page or a form without a domain of their own. */
const FREE_HOSTING = wordSet(`
  blogspot.com weebly.com weeblysite.com wixsite.com wix.com wordpress.com webflow.io netlify.app
  vercel.app herokuapp.com github.io gitlab.io pages.dev workers.dev r2.dev web.app firebaseapp.com
  glitch.me repl.co replit.app surge.sh onrender.com fly.dev railway.app neocities.org 000webhostapp.com
  godaddysites.com square.site squarespace.com strikingly.com mystrikingly.com yolasite.com jimdosite.com
  jimdofree.com ucraft.site carrd.co notion.site framer.app framer.website canva.site tilda.ws
  azurewebsites.net azurestaticapps.net azurefd.net azureedge.net cloudfront.net
  elasticbeanstalk.com amplifyapp.com translate.goog duckdns.org ddns.net no-ip.org hopto.org
  zapto.org sytes.net serveo.net ngrok.io ngrok-free.app trycloudflare.com loca.lt
  dynv6.net tripod.com angelfire.com geocities.com bravenet.com lovestoblog.com infinityfreeapp.com
  ipfs.io dweb.link cf-ipfs.com nftstorage.link w3s.link 4everland.io fleek.co
  sites.google.com docs.google.com forms.gle script.google.com storage.googleapis.com
  firebasestorage.googleapis.com s3.amazonaws.com blob.core.windows.net web.core.windows.net
  digitaloceanspaces.com backblazeb2.com linodeobjects.com appspot.com bubbleapps.io glideapp.io
  typeform.com jotform.com jotform.me formstack.com wufoo.com cognitoforms.com 123formbuilder.com
  forms.office.com forms.zohopublic.com hsforms.com paperform.co tally.so telegra.ph rentry.co
  dropbox.com mediafire.com wetransfer.com sharepoint.com 1drv.ms mega.nz gofile.io
`)

/** Hosts that open a chat with the owner of the link. */
const MESSENGERS = wordSet(`
  wa.me api.whatsapp.com chat.whatsapp.com t.me telegram.me telegram.dog
  signal.me line.me m.me discord.gg
`)

/**
 * Top-level domains in which a name costs about a dollar a year or nothing, so that senders who
 * need a new one every day take it there. Honest owners are many too.
 */
const CHEAP_TOP_LEVEL = wordSet(`
  top xyz click icu cyou shop online site store live space fun buzz monster rest bar quest sbs cfd
  bond lol autos boats hair beauty skin makeup mom pics lat vip win bid loan work men date review
  stream download trade racing party science faith accountant cricket gdn kim country link
  tk ml ga cf gq pw ws su cc cam uno life world today website tech host press zip mov
`)

/** Labels of a host that are looked at from the right; free hosts have at most five. */
const SUFFIX_LABELS_MAX = 6

export function isShortener(host: string): boolean {
  return SHORTENERS.has(host.startsWith('www.') ? host.slice(4) : host)
}

/** True when `host` is, or is under, a host where anyone can put up a page. */
export function isFreeHosting(host: string): boolean {
  let suffix = host
  for (let labels = 0; labels < SUFFIX_LABELS_MAX; labels += 1) {
    if (FREE_HOSTING.has(suffix)) return true
    const dot = suffix.indexOf('.')
    if (dot < 0) return false
    suffix = suffix.slice(dot + 1)
  }
  return false
}

export function isMessenger(host: string): boolean {
  return MESSENGERS.has(host.startsWith('www.') ? host.slice(4) : host)
}

/** True when the top-level domain of `host` is one in which names cost next to nothing. */
export function isCheapTopLevel(host: string): boolean {
  return CHEAP_TOP_LEVEL.has(host.slice(host.lastIndexOf('.') + 1))
}
