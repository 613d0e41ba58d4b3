import { Classes, HTMLTable } from '@blueprintjs/core'
import type { PriceFacts } from '../../../shared/api/pricing.ts'
import { printed, productOf, type TokenPrices } from '../../../shared/pricing.ts'
import { groupDigits } from '../../components/count.tsx'
import { useGroupName } from '../../components/group-name.ts'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { Amount } from './price-cell.tsx'
import { hasPrice, type PricedModel, priceIn, stepsIn } from './priced-model.ts'
import type { Display } from './use-display.ts'

type AllPricesProps = Readonly<{ row: PricedModel; facts: PriceFacts; group: string; display: Display }>

export function AllPrices({ row, facts, group, display }: AllPricesProps) {
  const { t } = useTranslation()
  const nameOf = useGroupName()
  const ratio = facts.group_ratio[group] ?? 1
  if (!hasPrice(row)) return <span className={Classes.TEXT_MUTED}>{t('pricing.unpricedHint')}</span>
  return (
    <HTMLTable compact className="pricing-all">
      <caption>{t('pricing.detailOf', { name: row.model_name, group: nameOf(group) })}</caption>
      <tbody>
        <LineRows lines={modelLines(row, facts, ratio)} display={display} />
        {stepsIn(row, ratio, facts.quota_per_unit).map(({ above, input, output }) => (
          <tr key={above}>
            <th scope="row">{t('pricing.above', { n: groupDigits(above) })}</th>
            <td className="tabular" title={`$${printed(input)}, $${printed(output)}`}>
              {t('pricing.stepPrice', { input: display.money(input), output: display.money(output) })}
            </td>
          </tr>
        ))}
        <LineRows lines={searchLines(row, facts, ratio)} display={display} />
      </tbody>
    </HTMLTable>
  )
}

function LineRows({ lines, display }: Readonly<{ lines: readonly Line[]; display: Display }>) {
  const { t } = useTranslation()
  return lines.map(({ name, per, dollars }) => (
    <tr key={name}>
      <th scope="row">{t(name)}</th>
      <td className="tabular">
        {dollars.length === 1 ? (
          <Amount dollars={dollars[0] ?? 0} text={t(per, { price: display.money(dollars[0] ?? 0) })} />
        ) : (
          <span title={dollars.map((one) => `$${printed(one)}`).join(' – ')}>
            {t(per, { price: dollars.map(display.money).join(' – ') })}
          </span>
        )}
      </td>
    </tr>
  ))
}

/** A price, or the min-max range of several. */
type Line = Readonly<{ name: TextKey; per: PerKey; dollars: readonly number[] }>
type PerKey = 'pricing.perMillion' | 'pricing.perCall' | 'pricing.perThousand' | 'pricing.perGigabyte'

/** The prices of a model's tokens or calls; those of images and audio only if they differ from the price of text. */
function modelLines(row: PricedModel, { quota_per_unit }: PriceFacts, ratio: number): Line[] {
  const price = priceIn(row, ratio, quota_per_unit)
  if ('perCall' in price) return [{ name: 'pricing.line.call', per: 'pricing.perCall', dollars: [price.perCall] }]
  const { perMillion } = price
  return tokenLines.flatMap(({ kind, name }): Line[] => {
    const dollars = perMillion[kind]
    const isText = dollars === null || (kind === 'image' && row.image_ratio === 1)
    return isText ? [] : [{ name, per: 'pricing.perMillion', dollars: [dollars] }]
  })
}

const tokenLines: readonly Readonly<{ kind: keyof TokenPrices; name: TextKey }>[] = [
  { kind: 'input', name: 'pricing.input' },
  { kind: 'output', name: 'pricing.output' },
  { kind: 'cacheRead', name: 'pricing.line.cacheRead' },
  { kind: 'cacheWrite', name: 'pricing.line.cacheWrite' },
  { kind: 'cacheWriteHour', name: 'pricing.line.cacheWriteHour' },
  { kind: 'image', name: 'pricing.line.image' },
  { kind: 'audioInput', name: 'pricing.line.audioInput' },
  { kind: 'audioOutput', name: 'pricing.line.audioOutput' },
]

/** The price of a web search depends on its context size. */
function searchLines({ web_search_price: { low, high } }: PricedModel, facts: PriceFacts, ratio: number): Line[] {
  const web = (low === high ? [low] : [low, high]).map((price) => productOf(price, ratio))
  return [
    { name: 'pricing.line.webSearch', per: 'pricing.perThousand', dollars: web },
    {
      name: 'pricing.line.fileSearch',
      per: 'pricing.perThousand',
      dollars: [productOf(facts.file_search_price, ratio)],
    },
    {
      name: 'pricing.line.codeContainer',
      per: 'pricing.perGigabyte',
      dollars: [productOf(facts.code_container_price / 1000, ratio)],
    },
  ]
}
