import { Classes } from '@blueprintjs/core'
import type { OptionChangeView } from '../../../../shared/api/option-history.ts'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import { type Translate, useTranslation } from '../../../translation.ts'
import type { MemberChange } from './difference.ts'
import { useWholeChange } from './use-history.ts'
import { optionDifference, useValueText, ValueChange } from './value-change.tsx'

export function ChangeDetail({ change }: { change: OptionChangeView }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useWholeChange(change)
  if (change.kept !== 'whole') return <p className={Classes.TEXT_MUTED}>{t(unstoredText[change.kept])}</p>
  if (error) return <FailedState scope="section" message={error.message} onRetry={() => void refetch()} />
  if (!data) return <div className={Classes.SKELETON} role="status" aria-label={t('state.loading')} />
  return <ValueChange option={data.key} before={data.before ?? ''} after={data.after ?? ''} />
}

const unstoredText = { secret: 'history.secretHint', too_long: 'history.tooLongHint' } as const

const inLine = 32

export function useChangeText(): (change: OptionChangeView) => string {
  const { t } = useTranslation()
  const text = useValueText()
  return ({ key, kept, before, after, is_cut: isCut }) => {
    if (kept === 'secret') return t(secretTextKey(before, after))
    if (kept === 'too_long') return t('history.tooLong')
    if (isCut) return t('history.long')
    const difference = optionDifference(key, before ?? '', after ?? '')
    if (difference.kind === 'members') return membersText(difference.members, t)
    if (difference.kind === 'entries') return entriesText(difference, t)
    return `${cut(text(key, difference.before))} → ${cut(text(key, difference.after))}`
  }
}

function membersText(members: readonly MemberChange[], t: Translate): string {
  const [one, ...others] = members
  if (!one || others.length > 0) return t('history.members', { n: members.length })
  const side = (value: string | undefined) => (value === undefined ? t('history.absent') : cut(value))
  const name = cut(one.path.join(' › '))
  return t('history.memberChange', { name, before: side(one.before), after: side(one.after) })
}

function entriesText(
  {
    removed,
    added,
    isReordered,
  }: Readonly<{ removed: readonly string[]; added: readonly string[]; isReordered: boolean }>,
  t: Translate,
): string {
  if (isReordered) return t('history.reordered')
  return [
    added.length > 0 && t('history.added', { n: added.length }),
    removed.length > 0 && t('history.removed', { n: removed.length }),
  ]
    .filter(Boolean)
    .join(t('history.and'))
}

function secretTextKey(before: string | null, after: string | null) {
  if (after === 'cleared') return 'history.secretCleared' as const
  return before === 'set' ? ('history.secretReplaced' as const) : ('history.secretSet' as const)
}

const cut = (text: string): string => {
  const [line = '', ...more] = text.split('\n')
  return line.length > inLine || more.length > 0 ? `${line.slice(0, inLine)}…` : line
}
