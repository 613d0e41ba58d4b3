import { Classes, type Intent, ProgressBar } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { TokenView } from '../../../shared/api/token.ts'
import { tokenStatus, tokenStatusLabel } from '../../../shared/enums.ts'
import { useBodyStorageNote } from '../../api/use-bodies-note.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { groupDigits } from '../../components/count.tsx'
import { groupNameOf } from '../../components/group-name.ts'
import { colourOf } from '../../components/hash-tag/colour-of.ts'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import type { Column } from '../../components/page-table/page-table.tsx'
import { TagPopover } from '../../components/popover/tag-popover.tsx'
import { RowTag } from '../../components/row-tag.tsx'
import { sentences } from '../../components/sentences.ts'
import { Sparkline } from '../../components/sparkline/sparkline.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { keyOf, maskedKey } from '../../components/token-key.ts'
import { useTranslation } from '../../translation.ts'
import { BudgetTag } from './budget-tag.tsx'
import { useTokenHours } from './use-token-hours.tsx'

export const hiddenAtFirst = ['created'] as const

/** The columns of the token list (docs/reference/screens.md#tokens). */
export function useTokenColumns(): readonly Column<TokenView>[] {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  return useMemo(() => {
    const amount = (quota: number) => <span title={t('quota.exact', { n: groupDigits(quota) })}>{format(quota)}</span>
    return [
      {
        id: 'name',
        title: t('label.name'),
        sort: 'name',
        cell: (row) => (
          <span className="token-name">
            <span title={row.name}>{row.name}</span>
            <CopyValue value={keyOf(row)} shown={maskedKey(row)} label={t('token.copy', { name: row.name })} />
          </span>
        ),
      },
      {
        id: 'status',
        title: t('label.status'),
        cell: (row) => <TokenTags row={row} />,
      },
      {
        id: 'used',
        title: t('label.usedQuota'),
        isNumeric: true,
        sort: 'used_quota',
        cell: (row) => amount(row.used_quota),
      },
      {
        id: 'remaining',
        title: t('label.remainingQuota'),
        isNumeric: true,
        sort: 'remain_quota',
        cell: (row) => <QuotaCell token={row} />,
      },
      {
        id: 'accessed',
        title: t('token.lastUsed'),
        sort: 'accessed_time',
        isSecondary: true,
        cell: (row) =>
          row.accessed_time === 0 ? (
            t('token.neverUsed')
          ) : (
            <span className="token-last">
              <TimeText at={row.accessed_time} isShort />
              <HoursLine id={row.id} />
            </span>
          ),
      },
      {
        id: 'expires',
        title: t('label.expires'),
        sort: 'expired_time',
        isSecondary: true,
        cell: (row) => (row.expired_time === -1 ? t('label.never') : <TimeText at={row.expired_time} isShort />),
      },
      {
        id: 'group',
        title: t('label.group'),
        isSecondary: true,
        cell: (row) =>
          row.group === '' ? (
            <span className={Classes.TEXT_MUTED}>{t('token.groupOwnShort')}</span>
          ) : (
            <HashTag text={groupNameOf(row.group, t)} colour={colourOf(row.group)} />
          ),
      },
      { id: 'models', title: t('token.modelsColumn'), isSecondary: true, cell: (row) => <ModelsCell token={row} /> },
      {
        id: 'created',
        title: t('label.created'),
        sort: 'created_time',
        isSecondary: true,
        cell: (row) => <TimeText at={row.created_time} isShort />,
      },
    ]
  }, [t, format])
}

export function TokenTags({ row }: { row: TokenView }) {
  return (
    <span className="token-tags">
      <TokenStatusTag row={row} />
      <BudgetTag token={row} />
      {row.keep_bodies && <BodiesTag />}
    </span>
  )
}

/** Green if enabled, red if disabled, yellow if expired, grey if exhausted (docs/reference/screens.md#tokens). */
function TokenStatusTag({ row }: { row: TokenView }) {
  const { t } = useTranslation()
  const intent = intents.get(row.status) ?? 'none'
  return <RowTag intent={intent}>{t(tokenStatusLabel(row.status, row.model_limits_enabled))}</RowTag>
}

/** All other states are grey. */
const intents: ReadonlyMap<number, Intent> = new Map<number, Intent>([
  [tokenStatus.enabled, 'success'],
  [tokenStatus.disabled, 'danger'],
  [tokenStatus.expired, 'warning'],
])

/** A token's requests per hour in the last 24 hours, and their total cost; nothing if there were none. */
function HoursLine({ id }: { id: number }) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const hours = useTokenHours(id)
  if (!hours || hours.counts.every((count) => count === 0)) return null
  return <Sparkline values={hours.counts} label={t('token.requestsByHour', { amount: amount(hours.quota) })} />
}

/** Marks tokens whose calls' bodies are stored, with details on hover. */
function BodiesTag() {
  const { t } = useTranslation()
  const note = useBodyStorageNote()
  return <RowTag title={sentences(t('token.bodiesHint'), note)}>{t('token.bodiesKept')}</RowTag>
}

/** A token's remaining quota above a usage bar, or that it is unlimited. */
function QuotaCell({ token }: { token: TokenView }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { remain_quota: left, used_quota: used, unlimited_quota: isUnlimited } = token
  if (isUnlimited) return <RowTag>{t('label.unlimited')}</RowTag>
  // The remaining quota may be slightly negative, if the last request cost more than was left.
  const total = used + Math.max(left, 0)
  const share = total === 0 ? 1 : used / total
  const text = t('token.usedOf', { used: format(used), total: format(total), percent: Math.floor(share * 100) })
  return (
    <div className="token-quota" title={`${t('quota.exact', { n: groupDigits(left) })}\n${text}`}>
      {format(left)}
      <ProgressBar
        className="token-quota-bar"
        animate={false}
        stripes={false}
        value={share}
        intent={intentAt(share)}
        aria-label={text}
      />
    </div>
  )
}

function intentAt(share: number) {
  if (share >= 1) return 'danger'
  return share >= 0.9 ? 'warning' : 'primary'
}

/** A token's models: all, a single one, or the first and the number of others, which a click shows. */
function ModelsCell({ token }: { token: TokenView }) {
  const { t } = useTranslation()
  const models = token.model_limits_enabled ? token.model_limits.split(',').filter(Boolean) : undefined
  if (!models) return <span className={Classes.TEXT_MUTED}>{t('token.allModels')}</span>
  const [first = '—', ...others] = models
  const name = (
    <span className="token-model" title={first}>
      {first}
    </span>
  )
  if (others.length === 0) return name
  return (
    <span className="token-models">
      {name}
      <TagPopover
        intent="none"
        hint={others.join('\n')}
        content={
          <div role="dialog" aria-label={t('token.modelsOf', { name: token.name })}>
            <ul className="token-model-list">
              {models.map((model) => (
                <li key={model}>{model}</li>
              ))}
            </ul>
          </div>
        }
      >
        <span aria-hidden>+{others.length}</span>
        <span className="page-table-spoken">{t('token.moreModels', { n: others.length })}</span>
      </TagPopover>
    </span>
  )
}
