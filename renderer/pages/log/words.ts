import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'

/** How an answer ended, localized; unknown values are shown as is. */
export const useEndings = (): ((ended: string) => string) => useWords(endings)

export const useSources = (): ((source: string) => string) => useWords(sources)

export const useApiFormats = (): ((format: string) => string) => useWords(apiFormats)

function useWords(words: ReadonlyMap<string, TextKey>): (word: string) => string {
  const { t } = useTranslation()
  return (word) => {
    const key = words.get(word)
    return key ? t(key) : word
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
