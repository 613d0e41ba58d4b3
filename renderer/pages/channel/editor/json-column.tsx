import './member-rows.css'
import { Button, Classes } from '@blueprintjs/core'
import { Code } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'
import { MASK } from '../../../../shared/secret-mask.ts'
import { JsonField } from '../../../components/json-field/json-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { editableObject } from './json-members.ts'
import { fitsValue, type JsonRule } from './json-rules.ts'
import { MemberRows } from './member-rows.tsx'
import { jsonComplaint } from './problems.ts'
import { SettingFields } from './setting-fields.tsx'

const columns = {
  modelMapping: {
    label: 'channel.mappingLabel',
    hint: 'channel.mappingHint',
    template: '{"gpt-3.5-turbo":"gpt-4o-mini"}',
    names: { name: 'channel.mapping.from', value: 'channel.mapping.to' },
  },
  statusMapping: {
    label: 'channel.statusMapping',
    hint: 'channel.statusMappingHint',
    template: '{"400":"500"}',
    names: { name: 'channel.status.from', value: 'channel.status.to' },
  },
  paramOverride: {
    label: 'channel.override',
    hint: 'channel.overrideHint',
    template: '{"temperature":0}',
    names: { name: 'channel.override.name', value: 'channel.override.value' },
  },
  setting: {
    label: 'channel.setting',
    hint: 'channel.settingHint',
    template: '{"force_format":true}',
    names: undefined,
  },
} as const satisfies Record<JsonRule, object>

type JsonColumnProps = Readonly<{
  rule: JsonRule
  value: string
  onChange: (text: string) => void
  type?: number
  /** Replaces the column's hint, where the meaning differs from a channel's. */
  hint?: string
  error?: string | undefined
}>

/**
 * A JSON column as rows or fields, with the JSON behind a button. Both edit the same text, so neither loses what the
 * other cannot show. JSON that cannot be shown as rows is visible from the start.
 */
export function JsonColumn({ rule, value, onChange, type = 0, hint, error }: JsonColumnProps) {
  const { t } = useTranslation()
  const id = useId()
  const [isJsonChosen, setJsonChosen] = useState(false)
  const { label, template } = columns[rule]
  const isEditable = editableObject(value) !== undefined
  const isNeeded = !isEditable || error !== undefined
  // Stays open once needed, so that the field does not vanish while typing.
  if (isNeeded && !isJsonChosen) setJsonChosen(true)
  const isJson = isJsonChosen || isNeeded
  return (
    <fieldset className="json-column" aria-label={t(label)}>
      {rule !== 'setting' && <legend>{t(label)}</legend>}
      <FieldEditor rule={rule} value={value} type={type} onChange={onChange} />
      <p className={`json-column-note ${Classes.TEXT_MUTED}`}>
        {value.includes(MASK) ? t('channel.maskHint', { mask: MASK }) : (hint ?? t(columns[rule].hint))}
      </p>
      <Button
        size="small"
        variant="minimal"
        icon={<Code />}
        text={isJson ? t('json.hide') : t('json.show')}
        aria-label={t(isJson ? 'json.hideOf' : 'json.showOf', { label: t(label) })}
        aria-expanded={isJson}
        aria-controls={id}
        disabled={isNeeded}
        onClick={() => setJsonChosen(!isJsonChosen)}
      />
      <div id={id}>
        {isJson && (
          <JsonField
            label={t('json.of', { label: t(label) })}
            value={value}
            onChange={onChange}
            template={template}
            check={(read) => (fitsValue(rule, read) ? undefined : t(jsonComplaint(rule)))}
            error={error}
          />
        )}
      </div>
    </fieldset>
  )
}

type FieldEditorProps = Readonly<{ rule: JsonRule; value: string; type: number; onChange: (text: string) => void }>

function FieldEditor({ rule, value, type, onChange }: FieldEditorProps): ReactNode {
  const { t } = useTranslation()
  const { names } = columns[rule]
  if (!names) return <SettingFields type={type} value={value} onChange={onChange} />
  return (
    <MemberRows
      value={value}
      onChange={onChange}
      kind={rule === 'paramOverride' ? 'json' : 'text'}
      names={{ name: t(names.name), value: t(names.value) }}
    />
  )
}
