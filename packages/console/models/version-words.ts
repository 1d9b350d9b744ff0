/** The versions of what was learned, in words. */
import type { ModelsResult } from '../../client/client.ts'
import { count, counted } from '../format.ts'

export type Version = ModelsResult['versions'][number]

interface StateInWords {
  readonly tone: 'ham' | 'spam' | 'plain'
  readonly text: string
}

/** The version in use; undefined where only the shipped models are. */
export function versionInUse(versions: readonly Version[]): Version | undefined {
  return versions.find(({ state }) => state === 'promoted')
}

/** True unless the latest version was rejected: then what is learned is used only once it is promoted. */
export function followsCorrections(versions: readonly Version[]): boolean {
  const [latest] = versions
  return latest === undefined || latest.state === 'promoted'
}

export function stateInWords(version: Version, versions: readonly Version[]): StateInWords {
  switch (version.state) {
    case 'promoted':
      if (version !== versionInUse(versions)) return { tone: 'plain', text: 'was in use' }
      return followsCorrections(versions)
        ? { tone: 'ham', text: 'in use; learning continues from it' }
        : { tone: 'ham', text: 'in use; nothing newer is used until you promote it' }
    case 'retired':
      return { tone: 'plain', text: 'was in use until a later one replaced it' }
    case 'rejected':
      return { tone: 'spam', text: 'not used' }
  }
}

/** What the checks before use have said until this version was kept; undefined where it was not recorded. */
export function checksInWords({ metrics }: Version): string | undefined {
  const { promotions, refused } = metrics as Record<string, number | undefined>
  if (promotions === undefined) return undefined
  if (promotions === 0 && !refused) return 'none yet'
  return `passed ${counted(promotions, 'time')}, refused ${count(refused ?? 0)}`
}

/** Whether anything learned is in use, from which to go back. */
export function canRollBack({ versions }: Pick<ModelsResult, 'versions'>): boolean {
  return versionInUse(versions) !== undefined
}

/** What is in use after a step, and what that means for corrections to come. */
export function outcomeInWords(step: 'promote' | 'rollback', version: number | null): string {
  if (step === 'promote') {
    if (version === null) return 'Nothing has been learned yet.'
    return `Version ${version} is in use. What is learned from now on is used too, when it passes the checks.`
  }
  const inUse =
    version === null ? 'Only the shipped models are in use.' : `Version ${version} is in use.`
  return `Rolled back. ${inUse} Corrections still count for their users, but the shared models stay as they are until you promote.`
}
