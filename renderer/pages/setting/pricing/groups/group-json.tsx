import { Button } from '@blueprintjs/core'
import { hintOf } from '../../../../../shared/options/hints.ts'
import { labelOf } from '../../../../../shared/options/index.ts'
import { focusAfter } from '../../../../components/focus-after.ts'
import { Form } from '../../../../components/form/form.tsx'
import { JsonField } from '../../../../components/json-field/json-field.tsx'
import { clearToasts, showWarning } from '../../../../components/toasts.ts'
import { useTranslation } from '../../../../translation.ts'
import { useJsonTexts } from '../json-texts.ts'
import type { OptionTexts } from '../option-texts.ts'
import { groupWriter } from './group-entries.ts'
import { useGroupSaving } from './use-group-saving.tsx'

type GroupJsonProps = Readonly<{ texts: OptionTexts; usageOf: (group: string) => string | undefined }>

const keys = ['GroupRatio', 'UserUsableGroups', 'GroupGroupRatio', 'AutoGroups'] as const

export function GroupJson({ texts, usageOf }: GroupJsonProps) {
  const { t } = useTranslation()
  const json = useJsonTexts(groupWriter, texts)
  const { save, isBusy, dialogs } = useGroupSaving(usageOf, json.clear)
  const submit = () => {
    clearToasts()
    if (json.isWrong()) showWarning(t('option.check'))
    else save(json.edits())
  }
  return (
    <>
      <Form className="price-editor" isBusy={isBusy} isDirty={json.isDirty} onSubmit={submit}>
        <div className="price-editor-maps">
          {keys.map((key) => (
            <JsonField
              key={key}
              label={t(labelOf(key))}
              hint={t(hintOf(key) ?? labelOf(key))}
              value={json.shown(key)}
              onChange={(text) => json.type(key, text)}
              check={(_, text) => json.problem(key, text)}
            />
          ))}
        </div>
        <div className="price-editor-line price-editor-save">
          <Button
            text={t('drawer.discard')}
            disabled={!json.isDirty || isBusy}
            onClick={({ currentTarget }) => focusAfter(json.clear, () => currentTarget.nextElementSibling)}
          />
          <Button
            type="submit"
            intent={json.isDirty ? 'primary' : 'none'}
            text={t('label.save')}
            aria-label={t('settings.saveOf', { panel: t('panel.operation/groups') })}
            loading={isBusy}
          />
        </div>
      </Form>
      {dialogs}
    </>
  )
}
