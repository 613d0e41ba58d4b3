import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'

/** How a response ended, localized; unknown values are shown as is. */
export const useEndings = (): ((ended: string) => string) => useTextOf(endings)

export const useSources = (): ((source: string) => string) => useTextOf(sources)

export const useApiFormats = (): ((format: string) => string) => useTextOf(apiFormats)

function useTextOf(keys: ReadonlyMap<string, TextKey>): (value: string) => string {
  const { t } = useTranslation()
  return (value) => {
    const key = keys.get(value)
    return key ? t(key) : value
  }
}

const endings: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['complete', 'log.end.complete'],
  ['client-gone', 'log.end.clientGone'],
  ['upstream-broken', 'log.end.upstreamBroken'],
  ['upstream-timeout', 'log.end.upstreamTimeout'],
  ['upstream-error', 'log.end.upstreamError'],
  ['stopped', 'log.end.stopped'],
  ['filtered', 'log.end.filtered'],
  ['quota', 'log.end.quota'],
])

const apiFormats: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['openai', 'log.format.openai'],
  ['responses', 'log.format.responses'],
  ['anthropic', 'log.format.anthropic'],
  ['gemini', 'log.format.gemini'],
  ['own', 'log.format.own'],
])

const sources: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['upstream', 'log.from.upstream'],
  ['counted', 'log.from.counted'],
  ['estimated', 'log.from.estimated'],
])
