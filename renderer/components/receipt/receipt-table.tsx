import './receipt.css'
import { Classes, HTMLTable, Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { pricePerMillion, type Receipt } from '../../../shared/receipt.ts'
import { useTranslation } from '../../translation.ts'
import { groupDigits } from '../count.tsx'
import { useCostFormat } from '../use-cost-format.ts'
import { lineNames, toolNames } from './line-names.ts'

type ReceiptTableProps = Readonly<{
  receipt: Receipt
  /** The quota charged; if undefined, nothing was charged, and the last line shows what would be. */
  charged?: number
}>

/**
 * A charge as a receipt: each step with its numbers, down to the amount charged (docs/reference/billing.md#receipts).
 */
export function ReceiptTable({ receipt, charged }: ReceiptTableProps) {
  const { t } = useTranslation()
  const cost = useCostFormat()
  const last = charged ?? receipt.charge
  return (
    <section className="receipt" aria-label={t('log.receipt')}>
      <HTMLTable compact className="receipt-steps">
        <caption>{t('log.receipt')}</caption>
        <tbody>
          {receipt.fixed === null ? <TokenSteps receipt={receipt} /> : <CallStep receipt={receipt} />}
          <GroupStep receipt={receipt} />
          <ToolSteps receipt={receipt} />
          <SecondModelStep receipt={receipt} />
          {receipt.hitRatio !== null && <Step name={t('log.cacheHit')} factors="" result={`× ${receipt.hitRatio}`} />}
          <Step name={t('log.exact')} factors="" result={t('log.quotaOf', { n: groupDigits(receipt.exact) })} />
        </tbody>
        <tfoot>
          <Step name={t('log.rounded')} factors="" result={t('log.quotaOf', { n: groupDigits(receipt.charge) })} />
          <Step
            name={charged === undefined ? t('log.wouldCharge') : <Charged isSame={receipt.charge === charged} />}
            factors=""
            result={<strong>{`${t('log.quotaOf', { n: groupDigits(last) })} · ${cost(last)}`}</strong>}
          />
        </tfoot>
      </HTMLTable>
      {charged !== undefined && <p className={`${Classes.TEXT_MUTED} ${Classes.TEXT_SMALL}`}>{t('log.reference')}</p>}
    </section>
  )
}

type StepProps = Readonly<{ name: ReactNode; factors: ReactNode; result: ReactNode; price?: string }>

function Step({ name, factors, result, price }: StepProps) {
  return (
    <tr>
      <th scope="row">
        {name}
        {price && <span className={Classes.TEXT_MUTED}> {price}</span>}
      </th>
      <td className="tabular receipt-factors">{factors}</td>
      <td className="tabular">{result}</td>
    </tr>
  )
}

function TokenSteps({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation()
  return (
    <>
      {receipt.lines.map(({ kind, tokens, ratio, weighted }) => (
        <Step
          key={kind}
          name={t(lineNames[kind])}
          price={t('log.perMillion', { price: money(pricePerMillion(receipt, ratio)) })}
          factors={t('log.tokensTimes', { n: groupDigits(tokens), ratio })}
          result={groupDigits(weighted)}
        />
      ))}
      <Step name={t('log.weighted')} factors="" result={groupDigits(receipt.weighted)} />
      <Step name={t('log.modelRatio')} factors="" result={`× ${receipt.modelRatio}`} />
      <InRatios receipt={receipt} />
    </>
  )
}

/** Factors included in the ratios: those of a long prompt and of a service tier. */
function InRatios({ receipt: { step, tier } }: { receipt: Receipt }) {
  const { t } = useTranslation()
  const names = [
    ...(step === null ? [] : [t('log.longPrompt', { n: groupDigits(step) })]),
    ...(tier === null ? [] : [t('log.serviceTier', { name: tier.name, ratio: tier.ratio })]),
  ]
  return names.map((name) => <Step key={name} name={name} price={t('log.inRatios')} factors="" result="" />)
}

function CallStep({ receipt: { fixed, unitPrice, times, quotaPerUnit } }: { receipt: Receipt }) {
  const { t } = useTranslation()
  const factors = times === 1 || unitPrice === null ? '' : `$${unitPrice} × ${times}`
  return (
    <>
      <Step name={t('log.callPrice')} factors={factors} result={`$${fixed}`} />
      <Step name={t('log.quotaPerDollar')} factors="" result={`× ${groupDigits(quotaPerUnit)}`} />
    </>
  )
}

function GroupStep({ receipt: { groupRatio, isExclusive } }: { receipt: Receipt }) {
  const { t } = useTranslation()
  const name = isExclusive ? t('log.exclusiveRatio') : t('log.groupRatio')
  return <Step name={name} factors="" result={`× ${groupRatio}`} />
}

function ToolSteps({ receipt: { tools, groupRatio, quotaPerUnit } }: { receipt: Receipt }) {
  const { t } = useTranslation()
  return tools.map(({ kind, calls, price, per, quota }) => (
    <Step
      key={kind}
      name={t(toolNames[kind])}
      factors={t('log.callsTimes', {
        n: groupDigits(calls),
        price: `$${price}`,
        per: groupDigits(per),
        unit: groupDigits(quotaPerUnit),
        group: groupRatio,
      })}
      result={`+ ${groupDigits(quota)}`}
    />
  ))
}

/** The cost of a second model: a price per call, or its tokens by kind. */
function SecondModelStep({ receipt: { secondModel, groupRatio, quotaPerUnit } }: { receipt: Receipt }) {
  const { t } = useTranslation()
  if (!secondModel) return null
  const { model, calls, fixed, lines, modelRatio, quota } = secondModel
  const tokens = lines.map((line) => t('log.tokensTimes', { n: groupDigits(line.tokens), ratio: line.ratio }))
  const factors =
    fixed === null
      ? `(${tokens.join(' + ')}) × ${modelRatio} × ${groupRatio}`
      : `${calls} × $${fixed} × ${groupDigits(quotaPerUnit)} × ${groupRatio}`
  return <Step name={t('log.line.secondModel', { model })} factors={factors} result={`+ ${groupDigits(quota)}`} />
}

function Charged({ isSame }: { isSame: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      {t('log.charged')}{' '}
      <Tag minimal intent={isSame ? 'success' : 'warning'}>
        {t(isSame ? 'log.agrees' : 'log.differs')}
      </Tag>
    </>
  )
}

const money = (dollars: number): string => `$${Number(dollars.toFixed(6))}`
