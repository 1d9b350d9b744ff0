/** Where a message comes in: dropped, chosen, pasted, or one of the samples. */
import { useRef, useState } from 'preact/hooks'
import { Icon } from '../ui/parts.tsx'
import { SAMPLES } from './samples.ts'
import type { Given } from './try-page.tsx'

export function MessageInput({ onMessage }: { readonly onMessage: (given: Given) => void }) {
  const [text, setText] = useState('')
  const chooser = useRef<HTMLInputElement>(null)
  const give = (name: string, content: string) => onMessage({ name, message: new Blob([content]) })
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.trim() !== '') give('Pasted message', text)
  }
  const choose = (event: { currentTarget: HTMLInputElement }) => {
    const [file] = event.currentTarget.files ?? []
    if (file !== undefined) onMessage({ name: file.name, message: file })
  }
  return (
    <>
      <div class="welcome">
        <h2>Why did a message get its verdict?</h2>
        <p>
          See what Tamis reads in a message, what speaks for and against spam, and how much. The
          message is judged by this service and not stored.
        </p>
      </div>
      <form class="input" onSubmit={submit}>
        <label for="source">Message source, header fields first</label>
        <textarea
          id="source"
          rows={9}
          spellcheck={false}
          autocomplete="off"
          placeholder={
            'From: …\nSubject: …\n\nDrop an .eml file anywhere, or paste the source of a message here'
          }
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="actions">
          <button type="submit" class="button primary" disabled={text.trim() === ''}>
            See its verdict
          </button>
          <button type="button" class="button" onClick={() => chooser.current?.click()}>
            <Icon name="file" /> Choose a file
          </button>
          <input
            ref={chooser}
            type="file"
            hidden
            accept=".eml,.txt,message/rfc822"
            aria-label="Message file"
            onChange={choose}
          />
        </div>
      </form>
      <h3 class="samples-title">Or start with a sample</h3>
      <ul class="samples">
        {SAMPLES.map(({ name, about, text: sample }) => (
          <li key={name}>
            <button type="button" onClick={() => give(name, sample)}>
              <strong>{name}</strong>
              <span>{about}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
