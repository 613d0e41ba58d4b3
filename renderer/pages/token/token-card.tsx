import { Classes } from '@blueprintjs/core'
import type { TokenView } from '../../../shared/api/token.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { AgeText } from '../../components/time-text/age-text.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useTranslation } from '../../translation.ts'
import { TokenTags } from './columns.tsx'

type TokenCardProps = Readonly<{ row: TokenView; columns: ReadonlySet<string> }>

/** A token on a phone, so that three fit on a screen; hidden columns stay hidden. */
export function TokenCard({ row, columns }: TokenCardProps) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const has = (id: string) => columns.has(id)
  return (
    <>
      <div className="page-table-card-line">
        {has('status') && <TokenTags row={row} />}
        {has('remaining') && (
          <strong className="tabular">
            {row.unlimited_quota ? t('label.unlimited') : t('token.left', { amount: format(row.remain_quota) })}
          </strong>
        )}
      </div>
      <div className={`page-table-card-line ${Classes.TEXT_MUTED}`}>
        {has('used') && <span>{t('token.spent', { amount: format(row.used_quota) })}</span>}
        {has('accessed') && (row.accessed_time > 0 ? <AgeText at={row.accessed_time} /> : t('token.neverUsed'))}
        {has('expires') && row.expired_time !== -1 && (
          <span>
            {t('label.expires')} <TimeText at={row.expired_time} isShort />
          </span>
        )}
      </div>
    </>
  )
}
