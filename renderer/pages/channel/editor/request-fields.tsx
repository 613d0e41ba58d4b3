import type { ChannelView } from '../../../../shared/api/channel.ts'
import { hasApiFormats } from '../../../../shared/api-format.ts'
import { ApiFormatField } from './api-format-field.tsx'
import { DraftColumn } from './draft-column.tsx'
import type { FieldsProps } from './fields.ts'
import { ProxyField } from './proxy-field.tsx'

/**
 * How requests are changed on their way: their format, a proxy, and rules (docs/reference/channels.md#fields,
 * docs/reference/selection.md#status-code-mapping).
 */
export function RequestFields({ channel, ...fields }: FieldsProps & Readonly<{ channel: ChannelView | undefined }>) {
  return (
    <>
      {hasApiFormats(fields.draft.type) && <ApiFormatField {...fields} />}
      <ProxyField {...fields} channel={channel} />
      <DraftColumn {...fields} rule="statusMapping" />
      <DraftColumn {...fields} rule="paramOverride" />
    </>
  )
}
