import { Button } from '@blueprintjs/core'
import { Reset } from '@blueprintjs/icons'
import { useState } from 'react'
import { option } from '../../../../shared/api/option.ts'
import { hintOf } from '../../../../shared/options/hints.ts'
import { labelOf } from '../../../../shared/options/index.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { focusAfter } from '../../../components/focus-after.ts'
import { Form } from '../../../components/form/form.tsx'
import { JsonField } from '../../../components/json-field/json-field.tsx'
import { clearToasts, showSuccess, showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { useJsonTexts } from './json-texts.ts'
import type { OptionTexts } from './option-texts.ts'
import { hasPrice, jsonCodec, type PriceRow } from './price-table.ts'
import { priceText } from './price-text.ts'
import type { Edits } from './three-way.ts'
import { useSaving } from './use-saving.ts'

/** The price options in stored form, as JSON (docs/reference/screens.md#pricing-editors). */
export function JsonEditors({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation()
  const saving = useSaving(jsonCodec)
  const json = useJsonTexts(jsonCodec, texts)
  const [unpriced, setUnpriced] = useState<readonly string[]>([])
  const save = async (isConfirmed = false) => {
    clearToasts()
    if (json.isWrong()) return showWarning(t('option.check'))
    const edits = json.edits()
    const lost = modelsWithoutPrice(edits)
    if (lost.length > 0 && !isConfirmed) return setUnpriced(lost)
    setUnpriced([])
    if (await saving.save(edits)) json.clear()
  }
  return (
    <>
      <Form className="price-editor" isBusy={saving.isBusy} isDirty={json.isDirty} onSubmit={() => void save()}>
        <div className="price-editor-maps">
          {jsonCodec.keys.map((map) => (
            <div key={map} data-option={map}>
              <JsonField
                label={t(labelOf(map))}
                hint={t(hintOf(map) ?? labelOf(map))}
                value={json.shown(map)}
                onChange={(text) => json.type(map, text)}
                check={(_, text) => json.problem(map, text)}
              />
            </div>
          ))}
        </div>
        <div className="price-editor-line price-editor-save">
          <ResetRatios />
          <span className="price-editor-room" />
          <Button
            text={t('drawer.discard')}
            disabled={!json.isDirty || saving.isBusy}
            onClick={({ currentTarget }) => focusAfter(json.clear, () => currentTarget.nextElementSibling)}
          />
          <Button
            type="submit"
            intent={json.isDirty ? 'primary' : 'none'}
            text={t('label.save')}
            aria-label={t('settings.saveOf', { panel: t('panel.operation/ratios') })}
            loading={saving.isBusy}
          />
        </div>
      </Form>
      <Confirm
        isOpen={unpriced.length > 0}
        question={t('priceEditor.lostAsk', { n: unpriced.length })}
        verb={t('priceEditor.lostVerb')}
        isBusy={saving.isBusy}
        onConfirm={() => void save(true)}
        onCancel={() => setUnpriced([])}
      >
        {t('priceEditor.lostHint', { models: firstOf(unpriced) })}
      </Confirm>
      <ConflictDialog
        saving={saving}
        nameOf={(model) => model}
        describe={(_, row) => priceText(row, t)}
        onSaved={json.clear}
      />
    </>
  )
}

/** Models that lose their price through the edits: a JSON text replaces the whole stored map. */
const modelsWithoutPrice = (edits: Edits<PriceRow>): readonly string[] =>
  [...edits].flatMap(([model, { base, mine }]) => (hasPrice(base) && !hasPrice(mine) ? [model] : []))

const firstOf = (models: readonly string[]): string =>
  models.slice(0, MAX_NAMED).join(', ') + (models.length > MAX_NAMED ? ', …' : '')

const MAX_NAMED = 8

function ResetRatios() {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useSend(option.resetRatios)
  const reset = () =>
    mutate({}, { onSuccess: () => showSuccess(t('option.ratio_reset')), onSettled: () => setConfirming(false) })
  return (
    <>
      <Button icon={<Reset />} text={t('priceEditor.reset')} onClick={() => setConfirming(true)} />
      <Confirm
        isOpen={isConfirming}
        question={t('priceEditor.resetAsk')}
        verb={t('priceEditor.reset')}
        isBusy={isPending}
        onConfirm={reset}
        onCancel={() => setConfirming(false)}
      >
        {t('priceEditor.resetHint')}
      </Confirm>
    </>
  )
}
