import { Classes } from '@blueprintjs/core'
import { Fragment, type ReactNode } from 'react'
import type { CataloguePrice } from '../../../../shared/api/catalogue.ts'
import { printed } from '../../../../shared/pricing.ts'
import { useTranslation } from '../../../translation.ts'

type Kind = keyof CataloguePrice['dollars']

const kinds: readonly Kind[] = ['input', 'output', 'cache_read', 'cache_write', 'image', 'audio_input', 'audio_output']
const ratios = ['model', 'completion', 'cache', 'create_cache', 'image', 'audio', 'audio_completion'] as const

/** A price in dollars and, below it, the ratios that are stored for it; highlights what differs from `other`. */
export function PriceCell({ price, other }: { price: CataloguePrice | null; other?: CataloguePrice | null }) {
  const { t } = useTranslation()
  if (!price) return <span className={Classes.TEXT_MUTED}>{t('prices.none')}</span>
  const { rates, dollars } = price
  if (rates.fixed !== undefined)
    return (
      <span className="catalogue-cell tabular">
        <Changed isOther={other !== undefined && other?.rates.fixed !== rates.fixed}>
          {t('prices.perRequest', { price: `$${printed(rates.fixed)}` })}
        </Changed>
      </span>
    )
  const present = ratios.filter((name) => rates[name] !== undefined)
  return (
    <div className="catalogue-cell tabular">
      <ul className="catalogue-cell-dollars">
        {kinds
          .filter((kind) => dollars[kind] !== undefined)
          .map((kind) => (
            <li key={kind}>
              <span className={Classes.TEXT_MUTED}>{t(`prices.kind.${kind}`)}</span>{' '}
              <Changed isOther={other !== undefined && other?.dollars[kind] !== dollars[kind]}>
                ${printed(Number((dollars[kind] ?? 0).toPrecision(SHOWN_DIGITS)))}
              </Changed>
            </li>
          ))}
        <li className={Classes.TEXT_MUTED}>{t('prices.perMillion')}</li>
      </ul>
      <small className={Classes.TEXT_MUTED}>
        {present.map((name, index) => (
          <Fragment key={name}>
            {index > 0 && ' · '}
            <span className="catalogue-cell-ratio">{t(`prices.ratio.${name}`, { n: printed(rates[name] ?? 0) })}</span>
          </Fragment>
        ))}
      </small>
    </div>
  )
}

const Changed = ({ isOther, children }: Readonly<{ isOther: boolean; children: ReactNode }>) =>
  isOther ? <strong>{children}</strong> : children

/** Significant digits of a displayed price; published prices have no more. */
const SHOWN_DIGITS = 6
