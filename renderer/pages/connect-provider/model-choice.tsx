import { Button, Callout, Classes, HTMLTable } from '@blueprintjs/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { channel } from '../../../shared/api/channel.ts'
import type { ModelPrice } from '../../../shared/api/unsaved-channel.ts'
import { send } from '../../api/client.ts'
import { useStatus } from '../../api/status.ts'
import { PriceForm } from '../../components/price-form/price-form.tsx'
import { TagListInput } from '../../components/tag-list-input/tag-list-input.tsx'
import { useTranslation } from '../../translation.ts'
import type { Provider } from './use-provider.ts'

export function ModelChoice({ provider }: { provider: Provider }) {
  const { t } = useTranslation()
  const { account, problems, suggestions, result, hasChosen, chooseModels } = provider
  const all = new Set([...account.models, ...(result?.models ?? [])])
  const hasMore = all.size > account.models.length
  return (
    <>
      <TagListInput
        label={t('connect.models')}
        values={account.models}
        onValues={chooseModels}
        suggestions={suggestions}
        error={problems.models && t(problems.models)}
        hint={t(hasMore && !hasChosen ? 'connect.modelsUsual' : 'connect.modelsHint')}
      />
      {hasMore && (
        <Button
          className="model-choice-all"
          text={t('connect.addAll', { n: all.size })}
          onClick={() => chooseModels([...all])}
        />
      )}
      {account.models.length > 0 && <Prices models={account.models} />}
    </>
  )
}

function Prices({ models }: { models: readonly string[] }) {
  const { t } = useTranslation()
  const { self_use_mode_enabled: isSelfUse } = useStatus()
  const { data: prices = [] } = useQuery({
    queryKey: ['channel', 'prices', models],
    queryFn: ({ signal }) => send(channel.prices, { body: { models: [...models] } }, { quiet: true, signal }),
    placeholderData: keepPreviousData,
  })
  const unset = prices.filter((price) => price.input === null && price.fixed === null)
  return (
    <>
      {unset.length > 0 && (
        <Callout compact intent={isSelfUse ? 'none' : 'warning'}>
          {isSelfUse ? t('connect.unpricedSelf') : t('connect.unpricedOthers')}
          {!isSelfUse && unset.slice(0, maxForms).map(({ model }) => <PriceForm key={model} model={model} />)}
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

/** Maximum number of inline price forms; further models follow as these are priced. */
const maxForms = 5

function PriceText({ price: { input, output, fixed } }: { price: ModelPrice }) {
  const { t } = useTranslation()
  if (fixed !== null) return t('connect.perCall', { price: dollars(fixed) })
  if (input === null || output === null) return <span className={Classes.TEXT_MUTED}>{t('connect.unpriced')}</span>
  return t('connect.perMillion', { input: dollars(input), output: dollars(output) })
}

/** Formats a price with two to four decimals. */
function dollars(price: number): string {
  const decimals = String(Number(price.toFixed(4))).split('.')[1]?.length ?? 0
  return `$${price.toFixed(Math.max(2, decimals))}`
}
