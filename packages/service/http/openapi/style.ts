/** The style of the reference: system fonts, light and dark, one column on narrow screens. */
export const STYLE = `
:root {
  --ground: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d5dae0; --block: #f5f7f9; --link: #0a58a6;
  --GET: #0a58a6; --POST: #1a6b34; --PATCH: #7a5600; --DELETE: #b1262b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --text: #e4e7ea; --quiet: #9aa4ae; --line: #363c43; --block: #1d2125; --link: #7db8f5;
    --GET: #7db8f5; --POST: #6fcf8b; --PATCH: #e8c46a; --DELETE: #ff8f8a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover, main p a { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: .5rem; }
nav { padding: 1rem; border-bottom: 1px solid var(--line); font-size: .875rem; }
nav summary { font-weight: 600; cursor: pointer; }
nav h2 { font-size: .8rem; margin: 1rem 0 .25rem; color: var(--quiet); text-transform: uppercase; letter-spacing: .04em; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding-left: 3.3rem; text-indent: -3.3rem; padding-block: .25rem; color: inherit; }
nav .method { text-indent: 0; }
nav .plain { padding-left: 0; text-indent: 0; }
main { padding: 1rem; max-width: 54rem; }
main > header p { max-width: 42rem; }
h1 { font-size: 2rem; margin: .5rem 0; }
h2.tag, section > h2 { margin: 3rem 0 0; font-size: 1.5rem; }
section { border-top: 1px solid var(--line); padding: 1rem 0; margin-top: 1rem; }
h3 { font-size: 1.05rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
h3 a { color: inherit; }
h4 { margin: 1.25rem 0 .4rem; font-size: .9rem; }
.method { display: inline-block; min-width: 4.4em; font: 600 .75rem ui-monospace, monospace; }
.GET { color: var(--GET); } .POST { color: var(--POST); } .PATCH { color: var(--PATCH); } .DELETE { color: var(--DELETE); }
.small { font-size: .875rem; color: var(--quiet); overflow-wrap: anywhere; }
code { font: .875em ui-monospace, monospace; background: var(--block); padding: .1em .25em; border-radius: 3px; }
pre { background: var(--block); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow: auto; max-height: 26rem; margin: .4rem 0; }
pre code { padding: 0; background: none; font-size: .8125rem; }
details > summary { cursor: pointer; margin: .5rem 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 600; }
tbody th { font-weight: 400; }
@media (min-width: 62rem) {
  body { display: grid; grid-template-columns: 20rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-bottom: 0; border-right: 1px solid var(--line); }
  nav details::details-content { content-visibility: visible; }
  main { padding: 1rem 2.5rem 4rem; }
}
`
