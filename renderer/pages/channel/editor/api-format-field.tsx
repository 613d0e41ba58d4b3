import { FormGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { type ApiFormatChoice, apiFormatChoice, apiFormatChoices } from '../../../../shared/api-format.ts'
import { Select } from '../../../components/select.tsx'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import type { FieldsProps } from './fields.ts'

const labels = {
  auto: 'channel.apiFormat.auto',
  chat: 'channel.apiFormat.chat',
  responses: 'channel.apiFormat.responses',
} as const satisfies Record<ApiFormatChoice, TextKey>

/**
 * In which of OpenAI's two API formats the provider is asked, whatever format a client uses
 * (docs/reference/conversion.md#chat-or-responses).
 */
export function ApiFormatField({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <FormGroup label={t('channel.apiFormat')} labelFor={id} helperText={t('channel.apiFormatHint')}>
      <Select
        id={id}
        fill
        name="api_format"
        value={draft.apiFormat}
        options={apiFormatChoices.map((value) => ({ value, label: t(labels[value]) }))}
        onChange={(event) => onChange({ apiFormat: apiFormatChoice(event.currentTarget.value) ?? 'auto' })}
      />
    </FormGroup>
  )
}
