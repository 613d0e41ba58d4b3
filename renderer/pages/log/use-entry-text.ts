import i18next from 'i18next'
import { useEffect } from 'react'
import type { OptionKey } from '../../../shared/options/index.ts'
import { type Receipt, receiptOf } from '../../../shared/receipt.ts'
import { toolNames } from '../../components/receipt/line-names.ts'
import { loadTexts, type TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import type { LogEntry } from './log-facts.ts'

/**
 * What an entry says, in the person's language. A charge (docs/reference/billing.md#receipts) and a change of an
 * option are told from their facts, for their stored words are in one language; other entries say what was stored.
 */
export function useEntryText(): (row: LogEntry) => string {
  const { t } = useTranslation()
  const audit = useAuditText()
  const textOf = (key: TextKey, n: string | number) => t(key, { n })
  return (row) => {
    const receipt = receiptOf(row)
    if (!receipt) return audit(row) ?? row.content
    const isBare = receipt.fixed === null && row.prompt_tokens + row.completion_tokens === 0
    const asked = askedIn(row.content).map(([key, value]) => textOf(key, value))
    return [
      ...factorsOf(receipt).map(([key, value]) => textOf(key, value)),
      ...receipt.tools.map(({ kind, calls }) => `${t(toolNames[kind])} ${calls}`),
      ...asked,
      ...(isBare ? [t('log.entry.noUsage')] : []),
    ].join(' · ')
  }
}

/** What an administrator's act was; undefined for entries that hold no facts about one. */
export function useAuditText(): (row: LogEntry) => string | undefined {
  const { t } = useTranslation()
  return ({ facts: { admin_info: info } }) => {
    const actor = info.actor.username || t('log.shell')
    if (info.password_of) return t('log.password_reset', { actor, name: info.password_of })
    const label = `option.label.${info.option}`
    if (!isOptionLabel(label)) return undefined
    return t(info.reset ? 'log.option_reset' : 'log.option', { actor, name: t(label), key: info.option })
  }
}

/** The names of options are many: they come once a row tells of one, and its stored words stand in until then. */
export function useOptionNames(rows: readonly LogEntry[]): void {
  const isNamed = rows.some(({ facts }) => facts.admin_info.option !== '')
  useEffect(() => {
    if (isNamed) void loadTexts(['option']).catch(() => undefined)
  }, [isNamed])
}

const isOptionLabel = (key: string): key is `option.label.${OptionKey}` => i18next.exists(key)

type Part = readonly [key: TextKey, value: string | number]

/** The ratios, or the price of the call; an exclusive ratio by its own name (docs/reference/billing.md#receipts). */
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
