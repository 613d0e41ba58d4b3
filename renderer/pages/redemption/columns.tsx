import { Classes, type Intent } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { RedemptionView } from '../../../shared/api/redemption.ts'
import { redemptionStatus, redemptionStatusLabel } from '../../../shared/enums.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { groupDigits } from '../../components/count.tsx'
import type { Column } from '../../components/page-table/page-table.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useCardWidth } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'

/** Columns of the code list (docs/reference/screens.md#redemption-codes); the name is the heading of cards. */
export function useRedemptionColumns(): readonly Column<RedemptionView>[] {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const isCard = useCardWidth()
  return useMemo(() => {
    const id: Column<RedemptionView> = {
      id: 'id',
      title: t('label.id'),
      sort: 'id',
      cell: (row) => <span className="tabular">{row.id}</span>,
    }
    const name: Column<RedemptionView> = {
      id: 'name',
      title: t('label.name'),
      sort: 'name',
      cell: (row) => (
        <span className="redemption-name">
          <span>{row.name}</span>
          <CopyValue value={row.key} shown={maskedCode(row)} label={t('redemption.copyCode', { name: row.name })} />
        </span>
      ),
    }
    return [
      ...(isCard ? [name, id] : [id, name]),
      { id: 'status', title: t('label.status'), cell: (row) => <RedemptionTag code={row} /> },
      {
        id: 'quota',
        title: t('label.quota'),
        isNumeric: true,
        sort: 'quota',
        cell: (row) => <span title={t('quota.exact', { n: groupDigits(row.quota) })}>{format(row.quota)}</span>,
      },
      {
        id: 'created',
        title: t('label.created'),
        sort: 'created_time',
        isSecondary: true,
        cell: (row) => <TimeText at={row.created_time} isShort />,
      },
      {
        id: 'expires',
        title: t('label.expires'),
        sort: 'expired_time',
        isSecondary: true,
        cell: (row) => (row.expired_time === 0 ? t('label.never') : <TimeText at={row.expired_time} isShort />),
      },
      { id: 'by', title: t('label.redeemedBy'), isSecondary: true, cell: (row) => <Redeemer code={row} /> },
    ]
  }, [t, format, isCard])
}

/** A recognizable part of a code. */
export const maskedCode = ({ key }: RedemptionView): string =>
  key.length > 12 ? `${key.slice(0, 4)}…${key.slice(-4)}` : key

const hasEnded = ({ status, expired_time: end }: RedemptionView): boolean =>
  status === redemptionStatus.unused && end !== 0 && end < Date.now() / 1000

/** Green if unused, red if disabled, grey if used, yellow if expired (docs/reference/screens.md#redemption-codes). */
function RedemptionTag({ code }: { code: RedemptionView }) {
  const { t } = useTranslation()
  if (hasEnded(code)) return <StatusTag intent="warning" text={t('status.expired')} />
  return <StatusTag intent={intents.get(code.status) ?? 'none'} text={t(redemptionStatusLabel(code.status))} />
}

/** All other states are grey. */
const intents: ReadonlyMap<number, Intent> = new Map<number, Intent>([
  [redemptionStatus.unused, 'success'],
  [redemptionStatus.disabled, 'danger'],
])

function Redeemer({ code: { used_user_id: id, used_username: name, redeemed_time: at } }: { code: RedemptionView }) {
  const { t } = useTranslation()
  if (id === 0) return <span className={Classes.TEXT_MUTED}>{t('label.none')}</span>
  return (
    <span className="redemption-by">
      <span>
        {name || `#${id}`} {name && <span className={Classes.TEXT_MUTED}>#{id}</span>}
      </span>
      <TimeText at={at} isShort />
    </span>
  )
}
