import { Tag } from '@blueprintjs/core'
import { completionRatioByName } from '../../../../shared/completion-rules.ts'
import type { Column } from '../../../components/page-table/page-table.tsx'
import type { TextKey } from '../../../i18n.ts'
import type { Translate } from '../../../translation.ts'
import { PriceCell } from './price-cell.tsx'
import { isPerRequest, type PriceTexts, shownTexts, wrongIn } from './price-draft.ts'
import { fieldsOf, outputByName } from './price-fields.ts'
import type { PriceMap, PriceTable } from './price-table.ts'
import type { PriceDrafts } from './use-drafts.ts'

type PriceList = Readonly<{ stored: PriceTable; drafts: PriceDrafts; quotaPerUnit: number; t: Translate }>

/** Columns of the model list: name and state, editable numbers, and the resulting prices. */
export const priceColumns = (list: PriceList): Column<string>[] => [
  { id: 'model', title: list.t('label.model'), cell: (model) => <ModelName {...list} model={model} /> },
  ...inRow.map(
    (map): Column<string> => ({
      id: map,
      title: list.t(columnNames[map]),
      cell: (model) => <NumberOf {...list} model={model} map={map} />,
    }),
  ),
  {
    id: 'dollars',
    title: list.t('label.price'),
    isSecondary: true,
    cell: (model) => (
      <span className="price-editor-cost">
        {dollarsOf(model, shownTexts(list.drafts.drafts, list.stored, model), list)}
      </span>
    ),
  },
]

/** Numbers edited in the row; the others are in the drawer. */
const inRow = ['ModelPrice', 'ModelRatio', 'CompletionRatio'] as const satisfies readonly PriceMap[]

const columnNames = {
  ModelPrice: 'priceEditor.perRequestColumn',
  ModelRatio: 'priceEditor.ratioColumn',
  CompletionRatio: 'priceEditor.completionColumn',
} as const satisfies Record<(typeof inRow)[number], TextKey>

type OfModel = PriceList & Readonly<{ model: string }>

function ModelName({ model, drafts, t }: OfModel) {
  const draft = drafts.drafts.get(model)
  return (
    <span className="price-editor-model">
      <span className={draft?.texts === null ? 'price-editor-gone' : ''}>{model}</span>
      {draft && (
        <Tag minimal intent={draft.texts === null ? 'danger' : 'warning'}>
          {t(stateOf(draft))}
        </Tag>
      )}
    </span>
  )
}

function stateOf(draft: Readonly<{ base: unknown; texts: unknown }>): TextKey {
  if (draft.texts === null) return 'priceEditor.deleted'
  return draft.base === undefined ? 'priceEditor.added' : 'priceEditor.unsaved'
}

function NumberOf({ model, map, stored, drafts, t }: OfModel & Readonly<{ map: (typeof inRow)[number] }>) {
  const texts = shownTexts(drafts.drafts, stored, model)
  const isOff = map !== 'ModelPrice' && isPerRequest(texts)
  return (
    <PriceCell
      model={model}
      map={map}
      label={t('priceEditor.of', { what: t(columnNames[map]), model })}
      text={texts[map]}
      placeholder={
        map === 'CompletionRatio' && !isOff ? t('priceEditor.byName', { ratio: completionRatioByName(model) }) : ''
      }
      isDisabled={isOff || drafts.drafts.get(model)?.texts === null}
      isWrong={wrongIn(texts).includes(map)}
      onText={drafts.type}
    />
  )
}

function dollarsOf(model: string, texts: PriceTexts, { quotaPerUnit, t }: PriceList) {
  if (wrongIn(texts).length > 0) return null
  if (isPerRequest(texts)) return t('priceEditor.dollarsRequest', { price: `$${texts.ModelPrice}` })
  const of = { base: undefined, quotaPerUnit }
  const fields = fieldsOf(texts, of)
  const { prices } = fields
  if (prices.ModelRatio === '') return <Tag minimal>{t('priceEditor.noPrice')}</Tag>
  const output = prices.CompletionRatio || outputByName(model, fields, of).price
  return t('priceEditor.dollarsBoth', { input: `$${prices.ModelRatio}`, output: `$${output}` })
}
