/**
 * The page templates of mailings: the markup that the builders of mailing services and the
 * templates of web frameworks put around a text. After their open-source or published forms
 * (MJML, Postmark's transactional templates, the classic Mailchimp and Salesforce skeletons).
 *
 * {{…}} are places for colours, fonts and content; `row` goes around every block.
 */

export interface BulkMarkup {
  /** Holds {{lang}} {{title}} {{preheader}} {{rows}} {{pixel}}. */
  readonly document: string
  readonly row: string
  readonly paragraph: string
  readonly heading: string
  readonly button: string
  readonly image: string
  readonly smallPrint: string
  readonly rule: string
  /** Attributes of a table of items, and of its cells. */
  readonly table: string
  readonly cell: string
  readonly linkAttributes: string
}

const HIDDEN_PREHEADER =
  '<div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">{{preheader}}</div>'

const COMMON_STYLES = `body,table,td,a{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}
table,td{mso-table-lspace:0pt;mso-table-rspace:0pt;border-collapse:collapse}
img{-ms-interpolation-mode:bicubic;border:0;height:auto;line-height:100%;outline:none;text-decoration:none}
body{margin:0 !important;padding:0 !important;width:100% !important}
a[x-apple-data-detectors]{color:inherit !important;text-decoration:none !important}`

const PHONE_STYLES = `@media screen and (max-width:600px){
.container{width:100% !important;max-width:100% !important}
.stack{display:block !important;width:100% !important}
.padded{padding-left:16px !important;padding-right:16px !important}
h1{font-size:26px !important;line-height:30px !important}
}`

export const BULK_MARKUP = {
  mailchimp: {
    document: `<!doctype html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<!--[if gte mso 15]>
<xml>
<o:OfficeDocumentSettings>
<o:AllowPNG/>
<o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings>
</xml>
<![endif]-->
<meta charset="UTF-8">
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title>
<style type="text/css">
p{margin:10px 0;padding:0;}
h1,h2,h3,h4,h5,h6{display:block;margin:0;padding:0;}
${COMMON_STYLES}
#bodyTable{background-color:{{page}};}
.mcnButton{font-weight:bold;letter-spacing:normal;line-height:100%;text-align:center;}
.mcnTextContent{word-break:break-word;}
.mcnTextContent a{color:{{accent}};font-weight:normal;text-decoration:underline;}
.mcnPreviewText{display:none !important;}
@media only screen and (min-width:768px){.templateContainer{width:600px !important;}}
@media only screen and (max-width:480px){.mcnTextContentContainer,.mcnImage{max-width:100% !important;width:100% !important;}}
</style>
</head>
<body>
<span class="mcnPreviewText" style="display:none; font-size:0px; line-height:0px; max-height:0px; max-width:0px; opacity:0; overflow:hidden; visibility:hidden; mso-hide:all;">{{preheader}}</span>
<center>
<table align="center" border="0" cellpadding="0" cellspacing="0" height="100%" width="100%" id="bodyTable">
<tr>
<td align="center" valign="top" id="bodyCell">
<table border="0" cellpadding="0" cellspacing="0" width="100%" class="templateContainer" bgcolor="#ffffff">
{{rows}}
</table>
</td>
</tr>
</table>
</center>
{{pixel}}</body>
</html>
`,
    row: `<tr><td valign="top" class="templateBody"><table border="0" cellpadding="0" cellspacing="0" width="100%" class="mcnTextBlock" style="min-width:100%;"><tbody class="mcnTextBlockOuter"><tr><td valign="top" class="mcnTextBlockInner" style="padding-top:9px;"><table align="left" border="0" cellpadding="0" cellspacing="0" style="max-width:100%; min-width:100%;" width="100%" class="mcnTextContentContainer"><tbody><tr><td valign="top" class="mcnTextContent" style="padding:0px 18px 9px;font-family:{{font}};font-size:16px;line-height:150%;color:{{ink}};">
{{content}}
</td></tr></tbody></table></td></tr></tbody></table></td></tr>
`,
    paragraph: '{{text}}',
    heading:
      '<h{{depth}} style="color:{{ink}};font-size:26px;font-weight:bold;">{{text}}</h{{depth}}>',
    button:
      '<table border="0" cellpadding="0" cellspacing="0" class="mcnButtonContentContainer" style="border-collapse:separate !important;border-radius:4px;background-color:{{accent}};"><tbody><tr><td align="center" valign="middle" class="mcnButtonContent" style="font-size:16px;padding:15px;"><a class="mcnButton" href="{{href}}" target="_blank" style="color:#ffffff;text-decoration:none;">{{text}}</a></td></tr></tbody></table>',
    image:
      '<img align="center" alt="{{alt}}" src="{{src}}" width="{{width}}" style="max-width:{{width}}px;padding-bottom:0;display:inline !important;vertical-align:bottom;" class="mcnImage">',
    smallPrint: '<div style="font-size:12px;color:#656565;text-align:center;">{{text}}</div>',
    rule: '<table class="mcnDividerContent" border="0" cellpadding="0" cellspacing="0" width="100%" style="min-width:100%;border-top:2px solid #EAEAEA;"><tbody><tr><td><span></span></td></tr></tbody></table>',
    table: ' border="0" cellpadding="6" cellspacing="0" width="100%"',
    cell: ' style="border-bottom:1px solid #eeeeee;"',
    linkAttributes: ' target="_blank"',
  },
  mjml: {
    document: `<!doctype html>
<html lang="{{lang}}" dir="auto" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<title>{{title}}</title>
<!--[if !mso]><!--><meta http-equiv="X-UA-Compatible" content="IE=edge"><!--<![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style type="text/css">
#outlook a { padding:0; }
body { margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%; }
table, td { border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt; }
img { border:0;height:auto;line-height:100%; outline:none;text-decoration:none;-ms-interpolation-mode:bicubic; }
p { display:block;margin:13px 0; }
</style>
<!--[if mso]>
<noscript><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript>
<![endif]-->
<style type="text/css">@media only screen and (min-width:480px) { .mj-column-per-100 { width:100% !important; max-width: 100%; } }</style>
<style media="screen and (min-width:480px)">.moz-text-html .mj-column-per-100 { width:100% !important; max-width: 100%; }</style>
</head>
<body style="word-spacing:normal;background-color:{{page}};">
${HIDDEN_PREHEADER}
<div style="background-color:{{page}};" lang="{{lang}}" dir="auto">
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:600px;" width="600" bgcolor="#ffffff"><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div style="background:#ffffff;background-color:#ffffff;margin:0px auto;max-width:600px;">
<table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background:#ffffff;width:100%;"><tbody><tr><td style="direction:ltr;font-size:0px;padding:20px 0;text-align:center;">
<div class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%;">
<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%"><tbody>
{{rows}}
</tbody></table>
</div>
</td></tr></tbody></table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</div>
{{pixel}}</body>
</html>
`,
    row: '<!--[if mso | IE]><tr><td class="" width="600px"><![endif]--><tr><td align="left" style="font-size:0px;padding:10px 25px;word-break:break-word;">{{content}}</td></tr><!--[if mso | IE]></td></tr><![endif]-->\n',
    paragraph:
      '<div style="font-family:{{font}};font-size:15px;line-height:1.5;text-align:left;color:{{ink}};">{{text}}</div>',
    heading:
      '<div style="font-family:{{font}};font-size:24px;font-weight:700;line-height:1.2;text-align:left;color:{{ink}};"><h{{depth}}>{{text}}</h{{depth}}></div>',
    button:
      '<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%;"><tbody><tr><td align="center" bgcolor="{{accent}}" role="presentation" style="border:none;border-radius:6px;cursor:auto;mso-padding-alt:12px 25px;background:{{accent}};" valign="middle"><a href="{{href}}" style="display:inline-block;background:{{accent}};color:#ffffff;font-family:{{font}};font-size:15px;font-weight:600;line-height:120%;margin:0;text-decoration:none;text-transform:none;padding:12px 25px;border-radius:6px;" target="_blank">{{text}}</a></td></tr></tbody></table>',
    image:
      '<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:collapse;border-spacing:0px;"><tbody><tr><td style="width:{{width}}px;"><img alt="{{alt}}" height="auto" src="{{src}}" style="border:0;display:block;outline:none;text-decoration:none;height:auto;width:100%;font-size:13px;" width="{{width}}"></td></tr></tbody></table>',
    smallPrint:
      '<div style="font-family:{{font}};font-size:12px;line-height:1.5;text-align:center;color:#777777;">{{text}}</div>',
    rule: '<p style="border-top:solid 1px #dddddd;font-size:1px;margin:0px auto;width:100%;"></p>',
    table:
      ' cellpadding="0" cellspacing="0" width="100%" border="0" style="font-size:14px;line-height:22px;"',
    cell: ' style="padding:6px 0;border-bottom:1px solid #ecedee;"',
    linkAttributes: '',
  },
  nested: {
    document: `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="{{lang}}">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1.0" />
<title>{{title}}</title>
<style type="text/css">
.ReadMsgBody{width:100%;} .ExternalClass{width:100%;}
.ExternalClass,.ExternalClass p,.ExternalClass span,.ExternalClass font,.ExternalClass td,.ExternalClass div{line-height:100%;}
${COMMON_STYLES}
${PHONE_STYLES}
</style>
</head>
<body bgcolor="{{page}}" style="margin:0; padding:0; background-color:{{page}};">
${HIDDEN_PREHEADER}
{{pixel}}<table width="100%" border="0" cellspacing="0" cellpadding="0" bgcolor="{{page}}">
<tr>
<td align="center" valign="top">
<table width="640" border="0" cellspacing="0" cellpadding="0" class="container" bgcolor="#ffffff" style="width:640px;">
{{rows}}
</table>
</td>
</tr>
</table>
</body>
</html>
`,
    row: '<tr>\n<td align="left" valign="top" class="padded" style="padding:10px 40px 10px 40px;"><table width="100%" border="0" cellspacing="0" cellpadding="0"><tr><td align="left" style="font-family:{{font}}; font-size:14px; line-height:20px; color:{{ink}};">{{content}}</td></tr></table></td>\n</tr>\n',
    paragraph: '{{text}}',
    heading: '<span style="font-size:24px; line-height:28px; font-weight:bold;">{{text}}</span>',
    button:
      '<table border="0" cellspacing="0" cellpadding="0"><tr><td align="center" bgcolor="{{accent}}" style="padding:12px 28px;"><a href="{{href}}" target="_blank" style="font-family:{{font}}; font-size:14px; font-weight:bold; color:#ffffff; text-decoration:none;">{{text}}</a></td></tr></table>',
    image:
      '<img src="{{src}}" width="{{width}}" alt="{{alt}}" border="0" style="display:block; width:100%; max-width:{{width}}px;" />',
    smallPrint: '<span style="font-size:11px; line-height:15px; color:#888888;">{{text}}</span>',
    rule: '<table width="100%" border="0" cellspacing="0" cellpadding="0"><tr><td height="1" bgcolor="#cccccc" style="font-size:1px; line-height:1px;">&nbsp;</td></tr></table>',
    table: ' width="100%" border="0" cellspacing="0" cellpadding="5"',
    cell: ' align="left" valign="top"',
    linkAttributes: ' target="_blank" style="color:{{accent}};"',
  },
  transactional: {
    document: `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta name="viewport" content="width=device-width, initial-scale=1.0" />
<meta name="x-apple-disable-message-reformatting" />
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
<meta name="color-scheme" content="light dark" />
<title>{{title}}</title>
<style type="text/css" rel="stylesheet" media="all">
body{width:100% !important;height:100%;margin:0;-webkit-text-size-adjust:none;background-color:{{page}};color:{{ink}};}
a{color:{{accent}};}
td{word-break:break-word;}
.preheader{display:none !important;visibility:hidden;mso-hide:all;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;}
body,td,th{font-family:{{font}};}
h1{margin-top:0;color:#333333;font-size:22px;font-weight:bold;text-align:left;}
p{margin:.4em 0 1.1875em;font-size:16px;line-height:1.625;}
.button{display:inline-block;background-color:{{accent}};color:#FFF;text-decoration:none;border-radius:3px;}
.email-wrapper,.email-content{width:100%;margin:0;padding:0;}
.email-body_inner{width:570px;margin:0 auto;padding:0;background-color:#FFFFFF;}
.email-footer{width:570px;margin:0 auto;padding:0;text-align:center;}
@media only screen and (max-width:600px){.email-body_inner,.email-footer{width:100% !important;}}
</style>
</head>
<body>
<span class="preheader">{{preheader}}</span>
<table class="email-wrapper" width="100%" cellpadding="0" cellspacing="0" role="presentation">
<tr>
<td align="center">
<table class="email-content" width="100%" cellpadding="0" cellspacing="0" role="presentation">
<tr>
<td class="email-body" width="570" cellpadding="0" cellspacing="0">
<table class="email-body_inner" align="center" width="570" cellpadding="0" cellspacing="0" role="presentation">
<tr>
<td class="content-cell">
<div class="f-fallback">
{{rows}}
</div>
</td>
</tr>
</table>
</td>
</tr>
</table>
</td>
</tr>
</table>
{{pixel}}</body>
</html>
`,
    row: '{{content}}\n',
    paragraph: '<p>{{text}}</p>',
    heading: '<h{{depth}}>{{text}}</h{{depth}}>',
    button:
      '<table class="body-action" align="center" width="100%" cellpadding="0" cellspacing="0" role="presentation"><tr><td align="center"><table width="100%" border="0" cellspacing="0" cellpadding="0" role="presentation"><tr><td align="center"><a href="{{href}}" class="f-fallback button" target="_blank" style="padding:10px 18px;">{{text}}</a></td></tr></table></td></tr></table>',
    image:
      '<img src="{{src}}" alt="{{alt}}" width="{{width}}" style="border:none;max-width:100%;">',
    smallPrint:
      '<p class="f-fallback sub align-center" style="font-size:13px;color:#A8AAAF;">{{text}}</p>',
    rule: '<hr style="border:none;border-top:1px solid #EAEAEC;">',
    table: ' class="purchase_content" width="100%" cellpadding="0" cellspacing="0"',
    cell: ' class="purchase_item" style="padding:8px 0;"',
    linkAttributes: '',
  },
  builder: {
    document: `<!DOCTYPE html>
<html lang="{{lang}}" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml">
<head>
<title>{{title}}</title>
<meta content="text/html; charset=utf-8" http-equiv="Content-Type">
<meta content="width=device-width, initial-scale=1.0" name="viewport"><!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]--><!--[if !mso]><!-->
<link href="https://fonts.googleapis.com/css2?family=Montserrat:wght@100;400;700" rel="stylesheet" type="text/css"><!--<![endif]-->
<style>
* { box-sizing: border-box; }
body { margin: 0; padding: 0; }
a[x-apple-data-detectors] { color: inherit !important; text-decoration: inherit !important; }
#MessageViewBody a { color: inherit; text-decoration: none; }
p { line-height: inherit }
.desktop_hide, .desktop_hide table { mso-hide: all; display: none; max-height: 0px; overflow: hidden; }
@media (max-width:660px) { .row-content { width: 100% !important; } .stack .column { width: 100%; display: block; } .mobile_hide { display: none; } }
</style>
</head>
<body style="background-color: {{page}}; margin: 0; padding: 0; -webkit-text-size-adjust: none; text-size-adjust: none;">
${HIDDEN_PREHEADER}
<table border="0" cellpadding="0" cellspacing="0" class="nl-container" role="presentation" style="mso-table-lspace: 0pt; mso-table-rspace: 0pt; background-color: {{page}};" width="100%">
<tbody><tr><td>
{{rows}}
</td></tr></tbody>
</table>
{{pixel}}</body>
</html>
`,
    row: `<table align="center" border="0" cellpadding="0" cellspacing="0" class="row row-1" role="presentation" style="mso-table-lspace: 0pt; mso-table-rspace: 0pt;" width="100%"><tbody><tr><td><table align="center" border="0" cellpadding="0" cellspacing="0" class="row-content stack" role="presentation" style="mso-table-lspace: 0pt; mso-table-rspace: 0pt; background-color: #ffffff; color: {{ink}}; width: 640px; margin: 0 auto;" width="640"><tbody><tr><td class="column column-1" style="mso-table-lspace: 0pt; mso-table-rspace: 0pt; font-weight: 400; text-align: left; padding: 5px 30px; vertical-align: top;" width="100%">
{{content}}
</td></tr></tbody></table></td></tr></tbody></table>
`,
    paragraph:
      '<div style="color:{{ink}};direction:ltr;font-family:{{font}};font-size:15px;font-weight:400;letter-spacing:0px;line-height:150%;text-align:left;mso-line-height-alt:22.5px;"><p style="margin: 0;">{{text}}</p></div>',
    heading:
      '<h{{depth}} style="margin: 0; color: {{ink}}; direction: ltr; font-family: {{font}}; font-size: 28px; font-weight: 700; line-height: 120%; text-align: left;"><span class="tinyMce-placeholder">{{text}}</span></h{{depth}}>',
    button:
      '<div align="center" class="alignment"><a href="{{href}}" style="color:#ffffff;text-decoration:none;" target="_blank"><span style="background-color: {{accent}}; border-radius: 4px; display: inline-block; font-family: {{font}}; font-size: 16px; padding: 8px 20px; text-align: center;">{{text}}</span></a></div>',
    image:
      '<div align="center" class="alignment" style="line-height:10px"><img alt="{{alt}}" height="auto" src="{{src}}" style="display: block; height: auto; border: 0; width: 100%;" width="{{width}}"></div>',
    smallPrint:
      '<div style="color:#8a8a8a;font-family:{{font}};font-size:12px;line-height:150%;text-align:center;"><p style="margin: 0;">{{text}}</p></div>',
    rule: '<table border="0" cellpadding="0" cellspacing="0" class="divider_block" role="presentation" width="100%"><tr><td class="divider_inner" style="font-size: 1px; line-height: 1px; border-top: 1px solid #dddddd;"><span>&#8202;</span></td></tr></table>',
    table: ' border="0" cellpadding="4" cellspacing="0" role="presentation" width="100%"',
    cell: ' style="font-size:14px;"',
    linkAttributes:
      ' rel="noopener" target="_blank" style="text-decoration: underline; color: {{accent}};"',
  },
  simple: {
    document: `<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<title>{{title}}</title>
</head>
<body style="font-family:{{font}};font-size:14px;color:{{ink}};background:{{page}}">
<table width="600" align="center" cellpadding="20" cellspacing="0" border="0" bgcolor="#ffffff">
<tr><td>
{{rows}}
</td></tr>
</table>
{{pixel}}</body>
</html>
`,
    row: '{{content}}\n',
    paragraph: '<p>{{text}}</p>',
    heading: '<h{{depth}} style="color:{{accent}}">{{text}}</h{{depth}}>',
    button:
      '<p><a href="{{href}}" style="background:{{accent}};color:#fff;padding:10px 20px;text-decoration:none">{{text}}</a></p>',
    image: '<p><img src="{{src}}" alt="{{alt}}" width="{{width}}"></p>',
    smallPrint: '<p style="font-size:11px;color:#999">{{text}}</p>',
    rule: '<hr>',
    table:
      ' width="100%" border="1" cellpadding="6" cellspacing="0" style="border-collapse:collapse"',
    cell: '',
    linkAttributes: '',
  },
  bare: {
    document: '<html><body>\n{{rows}}\n{{pixel}}</body></html>\n',
    row: '{{content}}\n',
    paragraph: '<p>{{text}}</p>',
    heading: '<h{{depth}}>{{text}}</h{{depth}}>',
    button: '<p><a href="{{href}}">{{text}}</a></p>',
    image: '<p><img src="{{src}}" alt="{{alt}}"></p>',
    smallPrint: '<p><small>{{text}}</small></p>',
    rule: '<hr>',
    table: ' border="1" cellpadding="4"',
    cell: '',
    linkAttributes: '',
  },
} satisfies Record<string, BulkMarkup>

export type BulkMarkupName = keyof typeof BULK_MARKUP
