import { useTranslation } from 'react-i18next'
import { type Receipt, receiptOf } from '../../../shared/receipt.ts'
import type { TextKey } from '../../i18n.ts'
import type { LogEntry } from './log-facts.ts'
import { toolNames } from './words.ts'

/**
 * What an entry says, in the person's language. A charge is told from its facts (spec/relay.md §6.8), for its stored words
 * are English; other entries say what was stored.
 */
export function useEntryText(): (row: LogEntry) => string {
  const { t } = useTranslation()
  const told = (key: TextKey, n: string | number) => t(key, { n })
  return (row) => {
    const receipt = receiptOf(row)
    if (!receipt) return row.content
    const isBare = receipt.fixed === null && row.prompt_tokens + row.completion_tokens === 0
    const asked = askedIn(row.content).map(([key, value]) => told(key, value))
    return [
      ...factorsOf(receipt).map(([key, value]) => told(key, value)),
      ...receipt.tools.map(({ kind, calls }) => `${t(toolNames[kind])} ${calls}`),
      ...asked,
      ...(isBare ? [t('log.entry.noUsage')] : []),
    ].join(' · ')
  }
}

type Part = readonly [key: TextKey, value: string | number]

/** The ratios, or the price of the call; an exclusive ratio by its own name (spec/console.md §8.19). */
function factorsOf({ fixed, modelRatio, completionRatio, groupRatio, isExclusive }: Receipt): readonly Part[] {
  const group: Part = [isExclusive ? 'log.entry.exclusive' : 'log.entry.group', groupRatio]
  if (fixed !== null) return [['log.entry.price', `$${fixed}`], group]
  return [['log.entry.model', modelRatio], ['log.entry.completion', completionRatio], group]
}

/** What was asked for that no fact holds: the images of a price by the call, and the context of a web search. */
const askedIn = (content: string): readonly Part[] =>
  content.split(', ').flatMap((words): Part[] => {
    const [, name = '', value = ''] = /^(size|quality|n|context) (.+)$/.exec(words) ?? []
    const key = asks.get(name)
    return key ? [[key, value]] : []
  })

const asks: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['size', 'log.entry.size'],
  ['quality', 'log.entry.quality'],
  ['n', 'log.entry.count'],
  ['context', 'log.entry.context'],
])
