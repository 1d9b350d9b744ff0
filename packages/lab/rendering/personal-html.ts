/**
 * HTML as mail programs write it when a person types: each has its own skeleton, its own way to
 * set paragraphs and its own frame around what is quoted. After messages of these programs in
 * their versions of 2023 to 2025.
 */
import { escapeHtml, type InlineStyle, inlineHtml } from './inline-html.ts'
import { type Block, blocksOf } from './markdown.ts'

/** A program's markup. {{body}} is what was typed, {{text}} a paragraph of it. */
export interface PersonalMarkup {
  readonly document: string
  readonly paragraph: string
  /** Between two paragraphs. */
  readonly gap: string
  /** Around the line above a quotation ('On … wrote:'). */
  readonly attribution: string
  readonly quote: string
  readonly strongTag: 'strong' | 'b'
}

const WORD_STYLES = `@font-face
\t{font-family:"Cambria Math";
\tpanose-1:2 4 5 3 5 4 6 3 2 4;}
@font-face
\t{font-family:Calibri;
\tpanose-1:2 15 5 2 2 2 4 3 2 4;}
@font-face
\t{font-family:Aptos;}
/* Style Definitions */
p.MsoNormal, li.MsoNormal, div.MsoNormal
\t{margin:0cm;
\tfont-size:11.0pt;
\tfont-family:"Calibri",sans-serif;}
a:link, span.MsoHyperlink
\t{mso-style-priority:99;
\tcolor:#0563C1;
\ttext-decoration:underline;}
span.EmailStyle19
\t{mso-style-type:personal-compose;
\tfont-family:"Calibri",sans-serif;
\tcolor:windowtext;}
.MsoChpDefault
\t{mso-style-type:export-only;
\tfont-size:10.0pt;}
@page WordSection1
\t{size:612.0pt 792.0pt;
\tmargin:72.0pt 72.0pt 72.0pt 72.0pt;}
div.WordSection1
\t{page:WordSection1;}`

export const PERSONAL_MARKUP = {
  gmail: {
    document: '<div dir="ltr">{{body}}</div>\n',
    paragraph: '<div>{{text}}</div>',
    gap: '<div><br></div>',
    attribution:
      '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">{{text}}<br></div>',
    quote:
      '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">{{text}}</blockquote>',
    strongTag: 'b',
  },
  'gmail app': {
    document: '<div dir="auto">{{body}}</div>\n',
    paragraph: '<div dir="auto">{{text}}</div>',
    gap: '<div dir="auto"><br></div>',
    attribution:
      '<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{{text}}<br></div>',
    quote:
      '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">{{text}}</blockquote>',
    strongTag: 'b',
  },
  'outlook desktop': {
    document: `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns:m="http://schemas.microsoft.com/office/2004/12/omml" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv="Content-Type" content="text/html; charset={{charset}}">
<meta name="Generator" content="Microsoft Word 15 (filtered medium)">
<style><!--
/* Font Definitions */
${WORD_STYLES}
--></style><!--[if gte mso 9]><xml>
<o:shapedefaults v:ext="edit" spidmax="1026" />
</xml><![endif]--><!--[if gte mso 9]><xml>
<o:shapelayout v:ext="edit">
<o:idmap v:ext="edit" data="1" />
</o:shapelayout></xml><![endif]-->
</head>
<body lang="{{lang}}" link="#0563C1" vlink="#954F72" style="word-wrap:break-word">
<div class="WordSection1">
{{body}}
</div>
</body>
</html>
`,
    paragraph: '<p class="MsoNormal">{{text}}<o:p></o:p></p>\n',
    gap: '<p class="MsoNormal"><o:p>&nbsp;</o:p></p>\n',
    attribution:
      '<div>\n<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">\n<p class="MsoNormal">{{text}}<o:p></o:p></p>\n</div>\n</div>\n',
    quote: '<div>\n{{text}}\n</div>\n',
    strongTag: 'b',
  },
  'outlook web': {
    document: `<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset={{charset}}">
<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>
</head>
<body dir="ltr">
{{body}}
</body>
</html>
`,
    paragraph:
      '<div class="elementToProof" style="font-family: Aptos, Aptos_EmbeddedFont, Aptos_MSFontService, Calibri, Helvetica, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);">\n{{text}}</div>\n',
    gap: '<div class="elementToProof" style="font-family: Aptos, Aptos_EmbeddedFont, Aptos_MSFontService, Calibri, Helvetica, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);">\n<br>\n</div>\n',
    attribution:
      '<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" tabindex="-1">\n<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">{{text}}</font>\n<div>&nbsp;</div>\n</div>\n',
    quote:
      '<div class="BodyFragment"><font size="2"><span style="font-size:11pt;">\n{{text}}</span></font></div>\n',
    strongTag: 'b',
  },
  'apple mail': {
    document:
      '<html><head><meta http-equiv="content-type" content="text/html; charset={{charset}}"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">{{body}}</body></html>',
    paragraph: '<div>{{text}}</div>',
    gap: '<div><br></div>',
    attribution:
      '<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>{{text}}</div><br class="Apple-interchange-newline"></blockquote></div>',
    quote: '<blockquote type="cite"><div>{{text}}</div></blockquote>',
    strongTag: 'b',
  },
  'apple ios': {
    document:
      '<html><head><meta http-equiv="content-type" content="text/html; charset={{charset}}"></head><body dir="auto">{{body}}</body></html>',
    paragraph: '<div dir="ltr">{{text}}</div>',
    gap: '<div dir="ltr"><br></div>',
    attribution: '<div dir="ltr"><br><blockquote type="cite">{{text}}<br><br></blockquote></div>',
    quote: '<blockquote type="cite"><div dir="ltr">{{text}}</div></blockquote>',
    strongTag: 'b',
  },
  thunderbird: {
    document: `<!DOCTYPE html>
<html>
  <head>
    <meta http-equiv="content-type" content="text/html; charset={{charset}}">
  </head>
  <body text="#000000" bgcolor="#FFFFFF">
    {{body}}
  </body>
</html>
`,
    paragraph: '<p>{{text}}</p>\n    ',
    gap: '',
    attribution: '<div class="moz-cite-prefix">{{text}}<br>\n    </div>\n    ',
    quote: '<blockquote type="cite">\n      {{text}}</blockquote>\n    ',
    strongTag: 'b',
  },
  yahoo: {
    document:
      '<html><head></head><body><div class="ydpb1a4f0c7yahoo-style-wrap" style="font-family:Helvetica Neue, Helvetica, Arial, sans-serif;font-size:16px;"><div></div>\n        {{body}}</div></body></html>',
    paragraph: '<div dir="ltr" data-setdir="false">{{text}}</div>',
    gap: '<div dir="ltr" data-setdir="false"><br></div>',
    attribution:
      '<div id="yahoo_quoted_5120983341" class="yahoo_quoted"><div style="font-family:\'Helvetica Neue\', Helvetica, Arial, sans-serif;font-size:13px;color:#26282a;"><div>\n                        {{text}}\n                    </div></div></div>',
    quote:
      '<blockquote style="border-left: 1px solid #ccc; padding-left: 8px; margin: 0px 0px 0px 8px;">{{text}}</blockquote>',
    strongTag: 'b',
  },
  webmail: {
    document:
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset={{charset}}" /></head><body style=\'font-size: 10pt; font-family: Verdana,Geneva,sans-serif\'>\n{{body}}\n</body></html>\n',
    paragraph: '<p>{{text}}</p>\n',
    gap: '',
    attribution: '<p id="reply-intro">{{text}}</p>\n',
    quote:
      '<blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0">{{text}}</blockquote>\n',
    strongTag: 'strong',
  },
  fastmail: {
    document:
      '<!DOCTYPE html><html><head><title></title><style type="text/css">p.MsoNormal,p.MsoNoSpacing{margin:0}</style></head><body>{{body}}</body></html>',
    paragraph: '<div>{{text}}</div>',
    gap: '<div><br></div>',
    attribution: '<div><br></div><div>{{text}}</div>',
    quote: '<blockquote type="cite" id="qt" style="">{{text}}</blockquote>',
    strongTag: 'b',
  },
  samsung: {
    document:
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset={{charset}}"></head><body dir="auto">{{body}}</body></html>',
    paragraph: '<div dir="auto">{{text}}</div>',
    gap: '<div dir="auto"><br></div>',
    attribution:
      '<div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>{{text}}</div><div><br></div></div>',
    quote: '<div>{{text}}</div>',
    strongTag: 'b',
  },
} satisfies Record<string, PersonalMarkup>

export type PersonalMarkupName = keyof typeof PERSONAL_MARKUP

/** The HTML part of a letter. */
export function personalHtml(
  markdown: string,
  markup: PersonalMarkup,
  { lang, charset }: { lang: string; charset: string },
): string {
  const inline: InlineStyle = {
    linkAttributes: '',
    target: (href) => href,
    source: (src) => src,
    strongTag: markup.strongTag,
  }
  const body = blocksHtml(blocksOf(markdown), markup, inline)
  return markup.document
    .replace('{{lang}}', lang)
    .replace('{{charset}}', charset.replace(/"/g, ''))
    .replace('{{body}}', () => body)
}

function blocksHtml(blocks: readonly Block[], markup: PersonalMarkup, inline: InlineStyle): string {
  return blocks
    .map((block, at) => {
      const html = blockHtml(block, blocks[at + 1]?.kind === 'quote', markup, inline)
      return at === 0 || block.kind === 'quote' ? html : markup.gap + html
    })
    .join('')
}

function blockHtml(
  block: Block,
  isAboveQuote: boolean,
  markup: PersonalMarkup,
  inline: InlineStyle,
): string {
  const within = (pattern: string, text: string) => pattern.replace('{{text}}', () => text)
  switch (block.kind) {
    case 'paragraph':
    case 'small print': {
      const pattern = isAboveQuote ? markup.attribution : markup.paragraph
      return within(pattern, inlineHtml(block.inline, inline))
    }
    case 'heading':
      return within(markup.paragraph, `<b>${inlineHtml(block.inline, inline)}</b>`)
    case 'button':
      return within(
        markup.paragraph,
        `<a href="${escapeHtml(block.href)}">${inlineHtml(block.inline, inline)}</a>`,
      )
    case 'image':
      return within(
        markup.paragraph,
        `<img src="${escapeHtml(block.href)}" alt="${escapeHtml(block.alt)}">`,
      )
    case 'list':
      return listHtml(block.items, block.first, (item) =>
        item.map((part) => looseHtml(part, markup, inline)).join('<br>'),
      )
    case 'table':
      return tableHtml(
        block.rows.map((row) => row.map((cell) => inlineHtml(cell, inline))),
        ' border="1" cellspacing="0" cellpadding="4"',
        '',
      )
    case 'quote':
      return within(markup.quote, blocksHtml(block.blocks, markup, inline))
    case 'code':
      return `<pre>${escapeHtml(block.text)}</pre>`
    case 'rule':
      return '<hr>'
  }
}

/** A block inside a list item, where text has no paragraph of its own. */
function looseHtml(block: Block, markup: PersonalMarkup, inline: InlineStyle): string {
  return block.kind === 'paragraph'
    ? inlineHtml(block.inline, inline)
    : blockHtml(block, false, markup, inline)
}

export function listHtml(
  items: readonly (readonly Block[])[],
  first: number | undefined,
  itemHtml: (item: readonly Block[]) => string,
): string {
  const rows = items.map((item) => `<li>${itemHtml(item)}</li>`).join('\n')
  if (first === undefined) return `<ul>\n${rows}\n</ul>`
  return `<ol${first === 1 ? '' : ` start="${first}"`}>\n${rows}\n</ol>`
}

export function tableHtml(
  rows: readonly (readonly string[])[],
  attributes: string,
  cellAttributes: string,
): string {
  const lines = rows.map(
    (row) => `<tr>${row.map((cell) => `<td${cellAttributes}>${cell}</td>`).join('')}</tr>`,
  )
  return `<table${attributes}>\n${lines.join('\n')}\n</table>`
}
