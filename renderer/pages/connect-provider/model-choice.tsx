import { Callout, Classes, HTMLTable } from '@blueprintjs/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { channel, type ModelPrice } from '../../../shared/api/channel.ts'
import { send } from '../../api/client.ts'
import { useStatus } from '../../api/status.ts'
import { TagListInput } from '../../components/tag-list-input/tag-list-input.tsx'
import type { Provider } from './use-provider.ts'

/** The models to be offered, with what each will cost. */
export function ModelChoice({ provider: { account, problems, suggestions, chooseModels } }: { provider: Provider }) {
  const { t } = useTranslation()
  return (
    <>
      <TagListInput
        label={t('connect.models')}
        values={account.models}
        onValues={chooseModels}
        suggestions={suggestions}
        error={problems.models && t(problems.models)}
        hint={t('connect.modelsHint')}
      />
      {account.models.length > 0 && <Prices models={account.models} />}
    </>
  )
}

/** What the chosen models cost, and what it means where there is no price. */
function Prices({ models }: { models: readonly string[] }) {
  const { t } = useTranslation()
  const { self_use_mode_enabled: isSelfUse } = useStatus()
  const { data: prices = [] } = useQuery({
    queryKey: ['channel', 'prices', models],
    queryFn: ({ signal }) => send(channel.prices, { body: { models: [...models] } }, { quiet: true, signal }),
    placeholderData: keepPreviousData,
  })
  const isUnset = prices.some((price) => price.input === null && price.fixed === null)
  return (
    <>
      {isUnset && (
        <Callout compact intent={isSelfUse ? 'none' : 'warning'}>
          {isSelfUse ? t('connect.unpricedSelf') : t('connect.unpricedOthers')}
        </Callout>
      )}
      <section className="model-prices" aria-label={t('connect.prices')}>
        <HTMLTable compact>
          <thead>
            <tr>
              <th scope="col">{t('label.model')}</th>
              <th scope="col">{t('label.price')}</th>
            </tr>
          </thead>
          <tbody>
            {prices.map((price) => (
              <tr key={price.model}>
                <td className={Classes.MONOSPACE_TEXT}>{price.model}</td>
                <td className="tabular">
                  <PriceText price={price} />
                </td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </section>
    </>
  )
}

/** A price a million tokens, a call, or none. */
function PriceText({ price: { input, output, fixed } }: { price: ModelPrice }) {
  const { t } = useTranslation()
  if (fixed !== null) return t('connect.perCall', { price: dollars(fixed) })
  if (input === null || output === null) return <span className={Classes.TEXT_MUTED}>{t('connect.unpriced')}</span>
  return t('connect.perMillion', { input: dollars(input), output: dollars(output) })
}

/** As many decimals as a price has, four at most. */
const dollars = (price: number): string => `$${Number(price.toFixed(4))}`
