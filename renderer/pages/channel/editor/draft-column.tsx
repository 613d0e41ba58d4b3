import type { FieldsProps } from './fields.ts'
import { JsonColumn } from './json-column.tsx'
import type { JsonRule } from './json-rules.ts'

/** A column of JSON of the channel that is edited. */
export const DraftColumn = ({ draft, errorOf, onChange, rule }: FieldsProps & Readonly<{ rule: JsonRule }>) => (
  <JsonColumn
    rule={rule}
    value={draft[rule]}
    type={draft.type}
    error={errorOf(rule)}
    onChange={(text) => onChange({ [rule]: text })}
  />
)
