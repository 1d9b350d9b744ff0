/**
 * Companies that send mail for others, by their registrable domains: those through which a sender's
 * links, pictures, bounces and signatures run. A link whose text names the sender and whose
 * target is one of these is a click counter and not a trick.
 */
import { wordSet } from '../message/word-set.ts'

const MAIL_SERVICE_DOMAINS = wordSet(`
  sendgrid.net sendgrid.com sendgrid.info
  mailchimp.com list-manage.com list-manage1.com mcsv.net mcdlv.net rsgsv.net mcusercontent.com
  mailchimpapp.net mandrillapp.com campaign-archive.com eepurl.com chimpstatic.com
  mailgun.org mailgun.net mailgun.com sparkpostmail.com sparkpost.com pphosted.com
  amazonses.com awstrack.me
  exacttarget.com exct.net sfmc-content.com salesforce.com s4.exacttarget.com sfdcfc.net
  marketingcloudapis.com salesforce-communications.com
  hubspot.com hubspotemail.net hubspotlinks.com hubspotlinksfree.com hubspotstarter.net
  hubspotfree.net hubspotusercontent-na1.net hs-sites.com hs-analytics.net hsforms.com
  hubspotpagebuilder.com hubspotlinkstarter.com
  klaviyo.com kmail-lists.com klaviyomail.com klclick.com klclick1.com klclick2.com klclick3.com klaviyodns.com
  constantcontact.com rs6.net ctctcdn.com roving.com ccsend.com
  brevo.com sendinblue.com sendibm1.com sendibm2.com sendibm3.com sendibm4.com sibmail.com mailin.fr
  sendibt2.com sendibt3.com brevosend.com
  mailjet.com mjt.lu mailjet-mail.com
  braze.com appboy.com braze.eu appboy-images.com iterable.com customer.io customeriomail.com
  customerioforms.com
  postmarkapp.com pstmrk.it mtasv.net marketo.com mktomail.com mktdns.com mktoresp.com mktoweb.com
  pardot.com en25.com eloqua.com responsys.net rsys2.net rsys3.net rsys5.com oraclecloud.com
  emarsys.net emarsys.com emarsys.us emsecure.net slgnt.eu slgnt.us selligent.com optimove.net
  zendesk.com intercom.io intercom-mail.com intercom-clicks.com intercomcdn.com freshdesk.com
  freshemail.io helpscout.net helpscoutapp.com front-mail.com
  beehiiv.com substack.com convertkit.com convertkit-mail.com convertkit-mail2.com
  convertkit-mail3.com kit.com ckmail.com ghost.io buttondown.email ck.page
  activecampaign.com acemlna.com acemlnb.com acemlnc.com activehosted.com emlnk.com emlnk1.com
  emlnk9.com lt.acemlna.com activecampaign-mail.com
  getresponse.com getresponse360.com gr-mail.com aweber.com
  createsend.com createsend1.com createsend2.com createsend3.com cmail1.com cmail19.com cmail20.com
  cmail2.com cmail3.com cmail4.com campaignmonitor.com confirmsubscription.com
  getdrip.com drip.com dripemail2.com moosend.com sailthru.com cordial.com cordial.io crdl.io
  listrakbi.com listrak.com lstrk.net bronto.com bm23.com bm5150.com icontact.com verticalresponse.com
  mailerlite.com mlsend.com mlsend2.com mlsend3.com mailersend.net mailersend.com elasticemail.com
  elasticemail.net sendpulse.com unisender.com benchmarkemail.com benchurl.com
  zcsend.net zohocampaigns.com zoho.eu cheetahmail.com epsilon.com bfi0.com
  silverpop.com mkt41.net mkt51.net mkt61.net pages05.net pages03.net pages01.net
  micpn.com emltrk.com litmus.com liveclicker.net rmlabs.com movableink.com movableink-tracking.com
  dotdigital.com dotmailer.com dmtrk.net dmtrk.com trackedlink.net r1-t.trackedlink.net
  inxmail.com inxserver.com rapidmail.com rapidmail.de cleverreach.com clvrreach.com crsend.com
  newsletter2go.com episerver.net optivo.net optivo.de broadmail.de ecircle.com teradatadmc.com
  mailup.com mailupclient.com emailsp.net musvc1.net musvc2.net musvc3.net contactlab.com
  sendsmaily.net getanewsletter.com ungapped.com apsis.com anpdm.com
  actito.be actito.com splio.com sarbacane.com mailkit.eu emaillabs.com freshmail.com getresponse.pl
  smtp2go.com smtp.com socketlabs.com socketlabs.net turbo-smtp.com pepipost.com netcorecloud.net
  resend.com resend.dev loops.so usesend.com mailtrap.io
  attentivemobile.com omnisend.com omnisendlink.com soundest.email sendlane.com privy.com
  blueshift.com blueshiftmail.com simondata.com ometria.com dotmetrics.net bluecore.com
  medallia.com qualtrics.com qualtrics-survey.com surveymonkey.com surveymonkeyuser.com
  trustpilotmail.com
  eventbrite.com eventbritemail.com meetup.com
  actionnetwork.org everyaction.com ngpvan.com givebutter.com
  outreach.io salesloft.com mixmax.com yesware.com streak-link.com lemlist.com instantly.ai
  doubleclick.net googleadservices.com
`)

/** True when the registrable domain `domain` belongs to a company that sends mail for others. */
export function isMailService(domain: string): boolean {
  return MAIL_SERVICE_DOMAINS.has(domain)
}
