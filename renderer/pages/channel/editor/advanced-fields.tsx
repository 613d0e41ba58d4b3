import { useTranslation } from 'react-i18next'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { hasApiFormats } from '../../../../shared/api-format.ts'
import { MASK } from '../../../../shared/secret-mask.ts'
import { JsonField } from '../../../components/json-field/json-field.tsx'
import { ApiFormatField } from './api-format-field.tsx'
import type { FieldsProps } from './fields.ts'
import { fitsValue, type JsonRule } from './json-rules.ts'
import { jsonComplaint } from './problems.ts'
import { ProxyField } from './proxy-field.tsx'

/** A column of JSON: what it is called, what it does, and an example. */
const columns = {
  modelMapping: {
    label: 'channel.mappingLabel',
    hint: 'channel.mappingHint',
    template: '{"gpt-3.5-turbo":"gpt-4o-mini"}',
  },
  statusMapping: {
    label: 'channel.statusMapping',
    hint: 'channel.statusMappingHint',
    template: '{"400":"500"}',
  },
  paramOverride: {
    label: 'channel.override',
    hint: 'channel.overrideHint',
    template: '{"temperature":0}',
  },
  setting: {
    label: 'channel.setting',
    hint: 'channel.settingHint',
    template: '{"force_format":true}',
  },
} as const satisfies Record<JsonRule, object>

/**
 * How calls are changed on their way: through a proxy, and by rules in JSON (docs/reference/channels.md#fields,
 * docs/reference/selection.md#status-code-mapping).
 */
export function AdvancedFields({ channel, ...fields }: FieldsProps & Readonly<{ channel: ChannelView | undefined }>) {
  return (
    <>
      {hasApiFormats(fields.draft.type) && <ApiFormatField {...fields} />}
      <ProxyField {...fields} channel={channel} />
      <ColumnField {...fields} rule="statusMapping" />
      <ColumnField {...fields} rule="paramOverride" />
      <ColumnField {...fields} rule="setting" />
    </>
  )
}

/** One column of JSON, checked as the gateway does. */
export function ColumnField({ draft, errorOf, onChange, rule }: FieldsProps & Readonly<{ rule: JsonRule }>) {
  const { t } = useTranslation()
  const { label, hint, template } = columns[rule]
  return (
    <JsonField
      label={t(label)}
      value={draft[rule]}
      onChange={(text) => onChange({ [rule]: text })}
      hint={draft[rule].includes(MASK) ? t('channel.maskHint', { mask: MASK }) : t(hint)}
      template={template}
      check={(value) => (fitsValue(rule, value) ? undefined : t(jsonComplaint(rule)))}
      error={errorOf(rule)}
    />
  )
}
