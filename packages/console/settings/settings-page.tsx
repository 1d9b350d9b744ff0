/** Settings: what the service goes by, to look at. Each has its name, and where its value comes from. */
import type { SettingsResult } from '../../client/types.ts'
import { tamis } from '../api.ts'
import { counted, dayTime } from '../format.ts'
import { Badge, ErrorNote, Loading, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { groupsOf, sourceWords, valueWords } from './setting-words.ts'

export function SettingsPage() {
  const [answer, again] = useAnswer('settings', () => tamis().settings())
  const { value } = answer
  return (
    <div class="page">
      <div class="page-head">
        <h1>Settings</h1>
        <p class="quiet">
          To look at. They are changed in the environment or the settings file of the service, and
          keys by <code>tamis keys</code>.
        </p>
      </div>
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {value === undefined && answer.step === 'asking' && <Loading what="Loading settings" />}
      {value !== undefined && (
        <>
          {groupsOf(value.settings).map(({ title, settings }) => (
            <Group key={title} title={title} settings={settings} />
          ))}
          <Keys keys={value.keys} />
        </>
      )}
    </div>
  )
}

type Setting = SettingsResult['settings'][number]

function Group({
  title,
  settings,
}: {
  readonly title: string
  readonly settings: readonly Setting[]
}) {
  return (
    <Panel title={title}>
      <ul class="settings">
        {settings.map((setting) => (
          <li key={setting.key}>
            <code>{setting.environment}</code>
            <span class="setting-value">
              <PlainText text={valueWords(setting)} />
            </span>
            <Badge tone={setting.source === 'default' ? 'plain' : 'accent'}>
              {sourceWords(setting)}
            </Badge>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Keys({ keys }: Pick<SettingsResult, 'keys'>) {
  return (
    <Panel
      title="Keys"
      note="Those of this tenant, by name. The service keeps only their hashes."
      aside={<Badge>{counted(keys.length, 'key')}</Badge>}
    >
      {keys.length === 0 ? (
        <p class="quiet">
          There is no key: whoever reaches the service from this machine may do everything.{' '}
          <code>tamis keys add</code> makes one.
        </p>
      ) : (
        <ul class="settings">
          {keys.map(({ name, scopes, requestsPerMinuteMax, createdAt }) => (
            <li key={`${name} ${createdAt}`}>
              <strong>
                <PlainText text={name} />
              </strong>
              <span class="setting-value">
                {scopes.join(', ')}
                {requestsPerMinuteMax !== undefined && `, ${requestsPerMinuteMax} a minute`}
              </span>
              <span class="time">{dayTime(createdAt)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
