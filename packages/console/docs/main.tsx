/**
 * What a script adds to the reference at /docs, which the service writes
 * (packages/service/http/openapi/page.ts): forms that send requests, search, and the theme.
 */
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { applyTheme } from '../theme.ts'
import { ThemeButton } from '../ui/theme-button.tsx'
import { SERVICE } from './request.ts'
import { Search } from './search.tsx'
import { TryIt } from './try-it.tsx'
import '../styles/base.css'
import '../styles/parts.css'
import './docs.css'

/** The service in the samples of the page. */
const SAMPLE_SERVICE = 'http://127.0.0.1:8025'

/** Contents stand beside the page on screens as wide as docs.css says. */
const wide = matchMedia('(min-width: 992px)')

applyTheme()
addressSamples()
addCopyButtons()
foldContents()
wide.addEventListener('change', foldContents)
// The event does not bubble.
document.addEventListener('toggle', ({ target }) => fillForm(target as HTMLElement), true)
const tools = document.getElementById('tools')
if (tools !== null) render(<Tools />, tools)

function Tools() {
  return (
    <>
      <Search />
      <a class="ghost" href="./">
        Console
      </a>
      <ThemeButton />
    </>
  )
}

/** Puts the address of this service into the samples, so that they work from where the page is read. */
function addressSamples(): void {
  const address = SERVICE.replace(/\/$/, '')
  for (const code of document.querySelectorAll('.sample code')) {
    code.textContent = (code.textContent ?? '').replaceAll(SAMPLE_SERVICE, address)
  }
}

/** Browsers let pages write to the clipboard where the connection cannot be changed: over HTTPS and on this machine. */
function addCopyButtons(): void {
  if (!isSecureContext) return
  for (const sample of document.querySelectorAll('.sample')) {
    const place = document.createElement('div')
    place.className = 'copy'
    sample.append(place)
    const text = () => sample.querySelector('code')?.textContent ?? ''
    render(<CopyButton text={text} />, place)
  }
}

function CopyButton({ text }: { readonly text: () => string }) {
  const [said, say] = useState('Copy')
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => say('Copied'),
      () => say('The browser did not allow it'),
    )
  }
  return (
    <button type="button" class="ghost" aria-live="polite" onClick={copy}>
      {said}
    </button>
  )
}

/** Contents are folded where they stand above the page. */
function foldContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.contents details')
  if (contents !== null) contents.open = wide.matches
}

/** Puts a form into `details` when it is first opened. */
function fillForm(details: HTMLElement): void {
  const { operation, example } = details.dataset
  const place = details.querySelector(':scope > div')
  if (operation === undefined || place === null || place.hasChildNodes()) return
  const filled = example === undefined ? undefined : JSON.parse(example)
  render(<TryIt operationId={operation} filled={filled} />, place)
}
