import { Classes } from '@blueprintjs/core'
import { printed } from '../../../shared/pricing.ts'
import { useTranslation } from '../../translation.ts'
import type { GroupPrice } from './priced-model.ts'
import type { Display } from './use-display.ts'

type PriceCellProps = Readonly<{ price: GroupPrice; display: Display }>

export function PriceCell({ price, display }: PriceCellProps) {
  const { t } = useTranslation()
  if ('perCall' in price)
    return (
      <span className="pricing-price">
        <Amount dollars={price.perCall} text={t('pricing.perCall', { price: display.money(price.perCall) })} />
      </span>
    )
  const { input, output } = price.perMillion
  const lines = [
    { name: t('pricing.input'), dollars: input },
    { name: t('pricing.output'), dollars: output },
  ]
  return (
    <span className="pricing-price">
      {lines.map(({ name, dollars }) => (
        <span key={name}>
          <span className={Classes.TEXT_MUTED}>{name}</span>{' '}
          <Amount dollars={dollars} text={t('pricing.perMillion', { price: display.money(dollars) })} />
        </span>
      ))}
    </span>
  )
}

/** A formatted amount, with all digits in dollars on hover. */
export const Amount = ({ dollars, text }: Readonly<{ dollars: number; text: string }>) => (
  <span className="tabular" title={`$${printed(dollars)}`}>
    {text}
  </span>
)
