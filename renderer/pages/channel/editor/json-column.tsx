import './member-rows.css'
import { Button, Classes } from '@blueprintjs/core'
import { Code } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MASK } from '../../../../shared/secret-mask.ts'
import { JsonField } from '../../../components/json-field/json-field.tsx'
import type { FieldsProps } from './fields.ts'
import { editableObject } from './json-members.ts'
import { fitsValue, type JsonRule } from './json-rules.ts'
import { MemberRows } from './member-rows.tsx'
import { jsonComplaint } from './problems.ts'
import { SettingFields } from './setting-fields.tsx'

/** A column of JSON: what it is called, what it does, and an example. */
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

/**
 * One column of JSON as rows or fields, with the JSON itself behind a button: both show the same text, so neither loses what
 * the other does not know. What cannot be told in rows is shown as JSON at once.
 */
export function JsonColumn({ draft, errorOf, onChange, rule }: FieldsProps & Readonly<{ rule: JsonRule }>) {
  const { t } = useTranslation()
  const id = useId()
  const [isAsked, ask] = useState(false)
  const { label, hint, template } = columns[rule]
  const error = errorOf(rule)
  const isTold = editableObject(draft[rule]) !== undefined
  const isNeeded = !isTold || error !== undefined
  // It stays once it was needed: nobody's field may go away under the typing.
  if (isNeeded && !isAsked) ask(true)
  const isJson = isAsked || isNeeded
  return (
    <fieldset className="json-column" aria-label={t(label)}>
      {rule !== 'setting' && <legend>{t(label)}</legend>}
      <Told draft={draft} rule={rule} onChange={(text) => onChange({ [rule]: text })} />
      <p className={`json-column-note ${Classes.TEXT_MUTED}`}>
        {draft[rule].includes(MASK) ? t('channel.maskHint', { mask: MASK }) : t(hint)}
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
        onClick={() => ask(!isAsked)}
      />
      <div id={id}>
        {isJson && (
          <JsonField
            label={t('json.of', { label: t(label) })}
            value={draft[rule]}
            onChange={(text) => onChange({ [rule]: text })}
            template={template}
            check={(value) => (fitsValue(rule, value) ? undefined : t(jsonComplaint(rule)))}
            error={error}
          />
        )}
      </div>
    </fieldset>
  )
}

type ToldProps = Pick<FieldsProps, 'draft'> & Readonly<{ rule: JsonRule; onChange: (text: string) => void }>

function Told({ draft, rule, onChange }: ToldProps): ReactNode {
  const { t } = useTranslation()
  const { names } = columns[rule]
  if (!names) return <SettingFields type={draft.type} value={draft[rule]} onChange={onChange} />
  return (
    <MemberRows
      value={draft[rule]}
      onChange={onChange}
      kind={rule === 'paramOverride' ? 'json' : 'text'}
      names={{ name: t(names.name), value: t(names.value) }}
    />
  )
}
