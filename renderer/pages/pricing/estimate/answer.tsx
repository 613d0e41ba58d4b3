import { Callout, Classes, H3 } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import type { Estimate } from '../../../../shared/api/pricing.ts'
import { receiptOf } from '../../../../shared/receipt.ts'
import { groupDigits } from '../../../components/count.tsx'
import { useGroupName } from '../../../components/group-name.ts'
import { ReceiptTable } from '../../../components/receipt/receipt-table.tsx'
import { useCostFormat } from '../../../components/use-cost-format.ts'
import { useTranslation } from '../../../translation.ts'

type EstimateAnswerProps = Readonly<{ estimate: Estimate | undefined; failure: Error | null }>

/** The estimated cost, announced and scrolled into view, or why it cannot be computed. */
export function EstimateAnswer({ estimate, failure }: EstimateAnswerProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (estimate || failure) box.current?.scrollIntoView({ block: 'nearest' })
  }, [estimate, failure])
  return (
    <div ref={box} className="estimate-answer" role="status">
      {failure && (
        <Callout intent="danger">
          <strong>{t('estimate.failed')}</strong>
          <div>{failure.message}</div>
        </Callout>
      )}
      {!failure && estimate && <Answer estimate={estimate} />}
    </div>
  )
}

function Answer({ estimate }: { estimate: Estimate }) {
  const { t } = useTranslation()
  const cost = useCostFormat()
  const nameOf = useGroupName()
  const { model_name: model, quota, total_quota: total } = estimate
  const receipt = receiptOf(estimate)
  const group = nameOf(estimate.group)
  const requests = quota === 0 ? 1 : Math.round(total / quota)
  return (
    <>
      <div>
        <H3 className="estimate-sum tabular">{t('estimate.one', { amount: cost(quota) })}</H3>
        <p className={Classes.TEXT_MUTED}>
          {t('estimate.priced', { model, group })}
          {requests > 1 && ` · ${t('estimate.all', { n: groupDigits(requests), amount: cost(total) })}`}
        </p>
      </div>
      {!estimate.is_offered && <Callout intent="warning">{t('estimate.notOffered', { model, group })}</Callout>}
      {receipt && <ReceiptTable receipt={receipt} />}
    </>
  )
}
