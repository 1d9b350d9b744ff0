/**
 * Hosts that many strangers share: a feed that names one of their pages says nothing about the
 * others.
 *
 * Peers that cut a feed down to its hosts blocked all of GitHub, Dropbox and Amazon
 * (notracking/hosts-blocklists#95, #319). The lists are written by hand from what feeds hold
 * most; the Public Suffix List adds the hosting companies that have entered themselves there.
 * `signals/link-hosts.ts` has another purpose, to say that a link leads to such a host, and so it has
 * other entries.
 */
import { isPublicSuffix } from '../message/domain.ts'
import { wordSet } from '../message/word-set.ts'

/**
 * Hosts whose pages are told apart by path or query: no name below them belongs to one owner. Also
 * companies so large that a feed which names them as a whole is mistaken.
 */
const SHARED_THROUGHOUT = wordSet(`
  bit.ly bitly.com j.mp tinyurl.com tiny.cc tiny.one goo.gl t.co ow.ly is.gd v.gd buff.ly
  rebrand.ly cutt.ly shorturl.at shorturl.asia short.io rb.gy t.ly bl.ink lnkd.in s.id soo.gd
  clck.ru u.to vk.cc goo.su qr.ae adf.ly bc.vc ouo.io shorte.st linktr.ee trib.al dlvr.it ift.tt
  fb.me youtu.be amzn.to amzn.eu a.co g.co aka.ms wp.me tr.im x.co po.st mcaf.ee snip.ly hubs.ly
  hubs.la shrtco.de tny.im urlz.fr lc.chat surl.li zpr.io han.gl vo.la me2.do dwz.cn t.cn url.cn
  suo.im qrco.de me-qr.com q-r.to scnv.io tinylink.net kutt.it lihi.cc reurl.cc cli.re n9.cl
  t2m.io urlr.me shorten.is did.li inx.lv lin.ee qrs.ly qr.link qrcodes.pro dub.sh chilp.it
  kurzelinks.de t.me wa.me m.me app.link onelink.me page.link taplink.cc beacons.ai bio.link
  msha.ke lnk.bio campsite.bio google.com googleusercontent.com goo.gle forms.gle withgoogle.com
  youtube.com googleadservices.com doubleclick.net googleweblight.com microsoft.com office.com
  live.com outlook.com sharepoint.com onedrive.com 1drv.ms sway.com office.net bing.com msn.com
  customervoice.microsoft.com skype.com linkedin.com apple.com icloud.com yahoo.com aol.com
  duckduckgo.com yandex.com yandex.ru ya.ru disk.yandex.ru baidu.com naver.com mail.ru qq.com
  163.com facebook.com fb.com instagram.com messenger.com threads.net workplace.com whatsapp.com
  twitter.com x.com tiktok.com pinterest.com reddit.com vk.com ok.ru medium.com quora.com
  discord.com discord.gg discordapp.com discordapp.net telegram.org telegra.ph telegram.me
  slack.com slack-redir.net steamcommunity.com twitch.tv weibo.com line.me signal.me
  snapchat.com flickr.com imgur.com giphy.com behance.net deviantart.com issuu.com
  slideshare.net scribd.com soundcloud.com vimeo.com dailymotion.com dropbox.com
  dropboxusercontent.com box.com boxcdn.net mega.nz mega.io mediafire.com wetransfer.com we.tl
  gofile.io 4shared.com zippyshare.com sendspace.com transfernow.net transfer.sh file.io
  filemail.com fromsmash.com pcloud.com pcloud.link sync.com icedrive.net terabox.com
  anonfiles.com bayfiles.com pixeldrain.com catbox.moe uploadfiles.io filebin.net
  krakenfiles.com workupload.com swisstransfer.com hightail.com citrixdata.com sharefile.com
  egnyte.com backblazeb2.com wasabisys.com cloudinary.com imagekit.io ufile.io github.com
  githubusercontent.com githubassets.com gitlab.com bitbucket.org gitee.com sourceforge.net
  codeberg.org sr.ht npmjs.com jsdelivr.net unpkg.com cdnjs.cloudflare.com codepen.io
  jsfiddle.net codesandbox.io stackblitz.com replit.com huggingface.co docker.com pypi.org
  stackoverflow.com pastebin.com paste.ee hastebin.com ghostbin.com rentry.co rentry.org
  justpaste.it dpaste.org dpaste.com controlc.com ideone.com pastes.io privatebin.net 0bin.net
  termbin.com typeform.com jotform.com jotform.me jotformeu.com formstack.com wufoo.com
  cognitoforms.com 123formbuilder.com forms.app formspree.io formsite.com zohopublic.com
  zoho.com zoho.eu hsforms.com paperform.co tally.so surveymonkey.com surveyheart.com
  surveyplanet.com qualtrics.com alchemer.com questionpro.com smartsheet.com airtable.com
  monday.com trello.com asana.com notion.so evernote.com canva.com figma.com miro.com padlet.com
  prezi.com genially.com adobe.com docusign.com docusign.net hellosign.com pandadoc.com
  docsend.com zoom.us webex.com calendly.com eventbrite.com gitbook.com atlassian.net
  atlassian.com coda.io clickup.com ipfs.io gateway.pinata.cloud infura-ipfs.io web.archive.org
  archive.org archive.ph archive.is webcache.googleusercontent.com mailchimp.com list-manage.com
  campaign-archive.com mailchi.mp sendgrid.net sendinblue.com hubspot.com hubspotlinks.com
  constantcontact.com rs6.net mailgun.org mandrillapp.com salesforce.com exacttarget.com
  marketo.com eloqua.com klaviyo.com getresponse.com activehosted.com aweber.com
  sparkpostmail.com safelinks.protection.outlook.com safelinks.protection.office365.us
  proofpoint.com urldefense.com urldefense.us cudasvc.com cisco.com mimecast.com
  mimecastprotect.com fireeye.com trendmicro.com sophos.com symantec.com url-protection.com
  checkpoint.com esvalabs.com amazon.com ebay.com etsy.com alibaba.com aliexpress.com paypal.com
  wikipedia.org wikimedia.org wordpress.org netflix.com spotify.com booking.com airbnb.com
`)

/** Hosts where the label before the name identifies the owner: evil.weebly.com has one owner, weebly.com has many. */
const SHARED_BY_LABEL = wordSet(`
  blogspot.com blogger.com wordpress.com weebly.com weeblysite.com wixsite.com wix.com
  wixstudio.io webflow.io webflow.com netlify.app netlify.com vercel.app vercel.com now.sh
  herokuapp.com heroku.com github.io gitlab.io bitbucket.io pages.dev workers.dev r2.dev web.app
  firebaseapp.com glitch.me repl.co replit.app replit.dev surge.sh onrender.com render.com
  fly.dev railway.app up.railway.app neocities.org 000webhostapp.com godaddysites.com
  square.site squarespace.com strikingly.com mystrikingly.com yolasite.com yola.com
  jimdosite.com jimdofree.com jimdo.com ucraft.site carrd.co framer.app framer.website
  framer.com canva.site my.canva.site tilda.ws site123.me webnode.com webnode.page
  azurewebsites.net azurestaticapps.net azurefd.net azureedge.net cloudapp.net
  cloudapp.azure.com trafficmanager.net web.core.windows.net blob.core.windows.net
  cloudfront.net elasticbeanstalk.com amplifyapp.com awsapprunner.com
  lambda-url.us-east-1.on.aws on.aws appspot.com run.app cloudfunctions.net duckdns.org ddns.net
  no-ip.org noip.com hopto.org zapto.org sytes.net myftp.org serveftp.com servehttp.com
  dyndns.org dynv6.net ngrok.io ngrok.app ngrok-free.app ngrok.dev trycloudflare.com loca.lt
  serveo.net localhost.run devtunnels.ms tripod.com angelfire.com geocities.com bravenet.com
  bravesites.com lovestoblog.com infinityfreeapp.com epizy.com rf.gd great-site.net byethost.com
  42web.io freewebhostmost.com altervista.org awardspace.com atwebpages.com mygamesonline.org
  byet.org ezyro.com ucoz.com ucoz.net ucoz.ru narod.ru beget.tech tmweb.ru bubbleapps.io
  glideapp.io softr.app durable.co zyrosite.com hostingersite.com builderallwppro.com systeme.io
  kajabi.com teachable.com mykajabi.com clickfunnels.com myclickfunnels.com leadpages.co
  unbounce.com unbouncepages.com instapage.com ghost.io myshopify.com shopify.com bigcartel.com
  deno.dev stackblitz.io csb.app gitpod.io codeanyapp.com pythonanywhere.com streamlit.app
  hf.space lovable.app bolt.host base44.app vusercontent.net typedream.app wasmer.app plesk.page
  cprapid.com webcindario.com cloudaccess.host temp.domains inmotionhosting.com typeform.io
  zendesk.com freshdesk.com help.com statuspage.io readthedocs.io tumblr.com substack.com
  beehiiv.com notion.site gitbook.io translate.goog googleapis.com storage.googleapis.com
  firebasestorage.googleapis.com amazonaws.com s3.amazonaws.com digitaloceanspaces.com
  linodeobjects.com aliyuncs.com myqcloud.com windows.net core.windows.net dweb.link
  ipfs.dweb.link cf-ipfs.com cloudflare-ipfs.com nftstorage.link ipfs.nftstorage.link w3s.link
  ipfs.w3s.link 4everland.io ipfs.4everland.io fleek.co mybluehost.me secureserver.net
  wpengine.com wpenginepowered.com pantheonsite.io kinsta.cloud kinsta.app cloudwaysapps.com
  sslip.io nip.io
`)

/** Labels of a host that are looked at, from the right; no name in the lists has more. */
const LABELS_MAX = 6

/** Google's domains by country, such as google.co.uk: there are 190, too many to list. */
const GOOGLE = /^(?:[a-z0-9-]+\.){0,3}google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/

/**
 * True when pages under `host` (canonical) have several owners, so that a feed's entry for one URL says
 * nothing about other URLs.
 */
export function isSharedHost(host: string): boolean {
  const bare = host.startsWith('www.') ? host.slice('www.'.length) : host
  if (SHARED_BY_LABEL.has(bare) || (bare.includes('google.') && GOOGLE.test(bare))) return true
  let suffix = bare
  for (let labels = 0; labels < LABELS_MAX; labels += 1) {
    if (SHARED_THROUGHOUT.has(suffix)) return true
    const dot = suffix.indexOf('.')
    if (dot < 0) break
    suffix = suffix.slice(dot + 1)
  }
  return isPublicSuffix(bare)
}
