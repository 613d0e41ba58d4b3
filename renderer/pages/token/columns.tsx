import { Classes, type Intent, Tag } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { TokenView } from '../../../shared/api/token.ts'
import { tokenStatus, tokenStatusLabel } from '../../../shared/enums.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { groupDigits } from '../../components/count.tsx'
import { groupNameOf } from '../../components/group-name.ts'
import { colourOf } from '../../components/hash-tag/colour-of.ts'
import { HashTag } from '../../components/hash-tag/hash-tag.tsx'
import type { Column } from '../../components/page-table/page-table.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { keyOf, maskedKey } from '../../components/token-key.ts'
import { useTranslation } from '../../translation.ts'
import { BodiesTag } from './bodies-tag.tsx'
import { BudgetTag } from './budget-tag.tsx'
import { HoursLine } from './hours-line.tsx'
import { ModelsCell } from './models-cell.tsx'
import { QuotaCell } from './quota-cell.tsx'

/** Columns that are seen once they are chosen. */
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
        cell: (row) => (
          <span className="token-name">
            <span>{row.name}</span>
            <CopyValue value={keyOf(row)} shown={maskedKey(row)} label={t('token.copy', { name: row.name })} />
          </span>
        ),
      },
      {
        id: 'status',
        title: t('label.status'),
        cell: (row) => (
          <span className="token-tags">
            <TokenStatusTag row={row} />
            <BudgetTag token={row} />
            {row.keep_bodies && <BodiesTag />}
          </span>
        ),
      },
      { id: 'used', title: t('label.usedQuota'), isNumeric: true, cell: (row) => amount(row.used_quota) },
      {
        id: 'remaining',
        title: t('label.remainingQuota'),
        isNumeric: true,
        cell: (row) => <QuotaCell token={row} />,
      },
      {
        id: 'accessed',
        title: t('token.lastUsed'),
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
        isSecondary: true,
        cell: (row) => <TimeText at={row.created_time} isShort />,
      },
    ]
  }, [t, format])
}

/** Green, red, yellow, grey (docs/reference/screens.md#tokens). */
function TokenStatusTag({ row }: { row: TokenView }) {
  const { t } = useTranslation()
  const intent = intents.get(row.status) ?? 'none'
  return (
    <Tag minimal intent={intent}>
      {t(tokenStatusLabel(row.status, row.model_limits_enabled))}
    </Tag>
  )
}

/** Whatever is not listed is grey. */
const intents: ReadonlyMap<number, Intent> = new Map<number, Intent>([
  [tokenStatus.enabled, 'success'],
  [tokenStatus.disabled, 'danger'],
  [tokenStatus.expired, 'warning'],
])
