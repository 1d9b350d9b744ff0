/**
 * Domains at which anyone can have an address without paying, so that the domain says nothing
 * about who writes. Providers of mailboxes to a country's households are counted among them.
 */
import { wordSet } from '../message/word-set.ts'

const FREE_MAIL_DOMAINS = wordSet(`
  gmail.com googlemail.com
  outlook.com hotmail.com live.com msn.com passport.com windowslive.com outlook.de outlook.fr
  outlook.es outlook.it outlook.jp outlook.com.br hotmail.co.uk hotmail.fr hotmail.de hotmail.it
  hotmail.es live.co.uk live.fr live.nl live.de live.it live.ca live.se live.dk live.no hotmail.se
  hotmail.ca hotmail.nl hotmail.be live.be live.com.au hotmail.com.br
  yahoo.com ymail.com rocketmail.com myyahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es
  yahoo.ca yahoo.co.in yahoo.in yahoo.co.jp yahoo.com.br yahoo.com.ar yahoo.com.mx yahoo.com.au
  yahoo.co.id yahoo.com.ph yahoo.com.sg yahoo.com.tw yahoo.com.hk yahoo.com.vn yahoo.ie yahoo.se
  yahoo.pl yahoo.ro yahoo.gr yahoo.co.kr yahoo.com.cn yahoo.cn
  aol.com aim.com aol.co.uk aol.de aol.fr netscape.net
  icloud.com me.com mac.com
  proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tutamail.com tuta.io
  tuta.com mailbox.org posteo.de posteo.net disroot.org riseup.net hey.com fastmail.com fastmail.fm
  hushmail.com startmail.com runbox.com
  gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.us gmx.co.uk gmx.fr mail.com email.com usa.com
  consultant.com engineer.com europe.com post.com writeme.com myself.com dr.com accountant.com
  lawyer.com techie.com iname.com cheerful.com workmail.com asia.com
  web.de freenet.de t-online.de arcor.de online.de 1und1.de
  zoho.com zohomail.com zohomail.eu zohomail.in
  mail.ru inbox.ru list.ru bk.ru internet.ru yandex.ru yandex.com ya.ru yandex.ua yandex.kz
  yandex.by rambler.ru lenta.ru ro.ru autorambler.ru myrambler.ru
  ukr.net i.ua meta.ua bigmir.net
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn aliyun.com
  21cn.com tom.com 188.com vip.qq.com vip.163.com
  naver.com daum.net hanmail.net nate.com
  rediffmail.com indiatimes.com
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr aliceadsl.fr
  libero.it virgilio.it tiscali.it alice.it tin.it inwind.it iol.it tim.it fastwebnet.it
  terra.com.br uol.com.br bol.com.br ig.com.br globo.com globomail.com r7.com
  telefonica.net ya.com terra.es
  wp.pl o2.pl onet.pl interia.pl onet.eu op.pl poczta.onet.pl tlen.pl gazeta.pl vp.pl interia.eu
  seznam.cz email.cz post.cz centrum.cz volny.cz azet.sk centrum.sk zoznam.sk
  freemail.hu citromail.hu abv.bg mail.bg walla.co.il walla.com mynet.com
  sapo.pt mail.pt iol.pt
  ziggo.nl kpnmail.nl planet.nl hetnet.nl home.nl telenet.be skynet.be
  bluewin.ch hispeed.ch sunrise.ch aon.at chello.at
  telia.com comhem.se spray.se online.no
  btinternet.com virginmedia.com sky.com talktalk.net ntlworld.com blueyonder.co.uk tiscali.co.uk
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net
  juno.com netzero.net roadrunner.com optonline.net frontier.com windstream.net centurylink.net
  rogers.com sympatico.ca shaw.ca telus.net bell.net videotron.ca
  bigpond.com bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz
  inbox.com inbox.lv one.lv lycos.com excite.com bigfoot.com mailinator.com guerrillamail.com
  yopmail.com sharklasers.com temp-mail.org dispostable.com 10minutemail.com trashmail.com
  mailfence.com vivaldi.net opayq.com duck.com simplelogin.com aleeas.com anonaddy.com
`)

/** True when `domain`, or for providers with several the registrable domain, is a free-mail one. */
export function isFreeMail(domain: string): boolean {
  return FREE_MAIL_DOMAINS.has(domain)
}

/**
 * Of those, the ones that sign all that their users send, and say by SPF which hosts send it: Google,
 * Microsoft, Apple, Yahoo and AOL. Mail that passes neither was not sent there. Yahoo! JAPAN is another company,
 * and not among them.
 */
const SIGNING =
  /^(?:gmail\.com|googlemail\.com|(?:outlook|hotmail|live|yahoo)\.(?:com|de|fr|it|es|nl|be|ca|in|(?:co|com)\.[a-z]{2})|msn\.com|icloud\.com|me\.com|mac\.com|ymail\.com|aol\.com)$/

/** True for a free-mail domain whose provider signs all mail. */
export function signsAllMail(domain: string): boolean {
  return isFreeMail(domain) && SIGNING.test(domain) && domain !== 'yahoo.co.jp'
}
