import i18next from 'i18next'
import { useEffect } from 'react'
import type { OptionKey } from '../../../shared/options/index.ts'
import { type Receipt, receiptOf } from '../../../shared/receipt.ts'
import { toolNames } from '../../components/receipt/line-names.ts'
import { loadTexts, type TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import type { LogEntry } from './log-facts.ts'

/**
 * An entry's localized text. Charges (docs/reference/billing.md#receipts) and option changes are described from their
 * facts, because the stored text has one language; other entries show the stored text.
 */
export function useEntryText(): (row: LogEntry) => string {
  const { t } = useTranslation()
  const audit = useAuditText()
  const textOf = (key: TextKey, n: string | number) => t(key, { n })
  return (row) => {
    const receipt = receiptOf(row)
    if (!receipt) return audit(row) ?? row.content
    const isBare = receipt.fixed === null && row.prompt_tokens + row.completion_tokens === 0
    const requested = requestParts(row.content).map(([key, value]) => textOf(key, value))
    return [
      ...factorsOf(receipt).map(([key, value]) => textOf(key, value)),
      ...receipt.tools.map(({ kind, calls }) => `${t(toolNames[kind])} ${calls}`),
      ...requested,
      ...(isBare ? [t('log.entry.noUsage')] : []),
    ].join(' · ')
  }
}

/** Describes an administrator's action; undefined for entries without facts about one. */
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

/** The many option names are loaded once a row mentions one; the stored text is shown until then. */
export function useOptionNames(rows: readonly LogEntry[]): void {
  const isNamed = rows.some(({ facts }) => facts.admin_info.option !== '')
  useEffect(() => {
    if (isNamed) void loadTexts(['option']).catch(() => undefined)
  }, [isNamed])
}

const isOptionLabel = (key: string): key is `option.label.${OptionKey}` => i18next.exists(key)

type Part = readonly [key: TextKey, value: string | number]

/** The ratios, or the price per call; a ratio override has its own label (docs/reference/billing.md#receipts). */
function factorsOf({ fixed, modelRatio, completionRatio, groupRatio, isExclusive }: Receipt): readonly Part[] {
  const group: Part = [isExclusive ? 'log.entry.exclusive' : 'log.entry.group', groupRatio]
  if (fixed !== null) return [['log.entry.price', `$${fixed}`], group]
  return [['log.entry.model', modelRatio], ['log.entry.completion', completionRatio], group]
}

/** Parts of the stored text without a fact: the images of a per-call price, and a web search's context. */
const requestParts = (content: string): readonly Part[] =>
  content.split(', ').flatMap((part): Part[] => {
    const [, name = '', value = ''] = /^(size|quality|n|context) (.+)$/.exec(part) ?? []
    const key = requestLabels.get(name)
    return key ? [[key, value]] : []
  })

const requestLabels: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['size', 'log.entry.size'],
  ['quality', 'log.entry.quality'],
  ['n', 'log.entry.count'],
  ['context', 'log.entry.context'],
])
