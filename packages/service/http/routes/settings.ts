/**
 * The route for the settings in use and the keys, to look at in the console. Beyond the interface.
 *
 * Who may ask need not be who runs the machine: so there is no secret in the answer and no path, and of settings that name users
 * or domains only how many they name.
 */
import { type Static, Type } from 'typebox'
import { ENTITLEMENTS, SCOPES } from '../../access/caller.ts'
import { SETTING_GROUPS, SETTING_SOURCES } from '../../settings-in-use.ts'
import { CREATED_AT } from '../openapi/examples.ts'
import { ok, operation } from '../route.ts'
import { Component, ListOf, NameOf, Text, Time } from '../schemas.ts'

const SettingsResult = Component('SettingsResult', {
  settings: ListOf('By group', {
    group: NameOf(SETTING_GROUPS, 'What it is about'),
    key: Text('Name in the settings file'),
    environment: Text('Name in the environment'),
    value: Text('In words; empty for none. Secrets, paths, users and domains are left out'),
    source: NameOf(SETTING_SOURCES, 'Where the value comes from'),
  }),
  keys: ListOf('Keys by name; their values are not stored', {
    name: Type.String(),
    scopes: Type.Array(NameOf(SCOPES)),
    entitlements: Type.Array(NameOf(ENTITLEMENTS)),
    requestsPerMinuteMax: Type.Optional(Type.Integer()),
    createdAt: Time(),
  }),
})

type SettingsResult = Static<typeof SettingsResult>

const EXAMPLE: SettingsResult = {
  settings: [
    {
      group: 'thresholds',
      key: 'threshold',
      environment: 'TAMIS_THRESHOLD',
      value: 'cautious',
      source: 'environment',
    },
    { group: 'feeds', key: 'feeds', environment: 'TAMIS_FEEDS', value: '', source: 'default' },
  ],
  keys: [
    {
      name: 'mail server',
      scopes: ['classify'],
      entitlements: ['spam', 'classification'],
      createdAt: CREATED_AT,
    },
  ],
}

export const SETTINGS_IN_USE = [
  operation({
    method: 'GET',
    path: '/settings',
    scope: 'admin',
    operationId: 'settings',
    tag: 'Operate',
    summary: 'The settings in use, where they come from, and the keys by name',
    description:
      'Settings about verdicts, senders, feeds, learning and the history, to look at: none can be changed here. The answer has no secret, no path, and the name of no user or domain.',
    answers: ok('The settings', SettingsResult, EXAMPLE),
    errors: ['STORE_UNAVAILABLE'],
    handler: async (_request, { installation }): Promise<SettingsResult> => {
      const keys = await installation.keys()
      return {
        settings: installation.settings(),
        keys: keys.map(({ name, scopes, entitlements, requestsPerMinuteMax, createdAt }) => ({
          name,
          scopes: SCOPES.filter((scope) => scopes.includes(scope)),
          entitlements: ENTITLEMENTS.filter((each) => entitlements.includes(each)),
          ...(requestsPerMinuteMax !== undefined && { requestsPerMinuteMax }),
          createdAt: createdAt.toISOString(),
        })),
      }
    },
  }),
]
