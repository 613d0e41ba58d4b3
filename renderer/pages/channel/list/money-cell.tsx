import { Tag } from '@blueprintjs/core'
import { useQuotaFormat } from '../../../components/amount.ts'
import { groupDigits } from '../../../components/count.tsx'
import { useTranslation } from '../../../translation.ts'
import { Remaining } from './remaining.tsx'
import { isTag, type Row, usedOf } from './row.ts'

/** What was used, and what the vendor says is left: a click on it asks again. A tag shows the sum used. */
export function MoneyCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const used = usedOf(row)
  return (
    <span className="money-cell">
      <Tag minimal className="tabular">
        <span title={t('quota.exact', { n: groupDigits(used) })}>{format(used)}</span>
      </Tag>
      {!isTag(row) && <Remaining channel={row} />}
    </span>
  )
}
