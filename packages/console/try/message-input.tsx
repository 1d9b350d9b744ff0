/** Where a message comes in: dropped, chosen, pasted, or one of the samples. */
import { useRef } from 'preact/hooks'
import { Button, Icon } from '../ui/parts.tsx'
import type { Given } from './judged.ts'
import { SAMPLES } from './samples.ts'

export function MessageInput({
  text,
  onText,
  onMessage,
}: {
  /** What is in the field, kept by the page so that an error does not lose it. */
  readonly text: string
  readonly onText: (text: string) => void
  readonly onMessage: (given: Given) => void
}) {
  const chooser = useRef<HTMLInputElement>(null)
  const give = (name: string, content: string, isSample = false) =>
    onMessage({ name, message: new Blob([content]), isSample })
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.trim() !== '') give('Pasted message', text)
  }
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  const choose = (event: { currentTarget: HTMLInputElement }) => {
    const [file] = event.currentTarget.files ?? []
    if (file !== undefined) onMessage({ name: file.name, message: file, isSample: false })
  }
  return (
    <>
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
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={submitByKey}
        />
        <div class="actions">
          <button type="submit" class="button primary" disabled={text.trim() === ''}>
            See its verdict
          </button>
          <small class="key-hint">Ctrl+Enter</small>
          <Button onClick={() => chooser.current?.click()}>
            <Icon name="file" /> Choose a file
          </Button>
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
      <h3 class="samples-title">Or start with a sample; Tamis does not learn from samples</h3>
      <ul class="samples">
        {SAMPLES.map(({ name, about, text: sample }) => (
          <li key={name}>
            <button type="button" onClick={() => give(name, sample, true)}>
              <strong>{name}</strong>
              <span>{about}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
