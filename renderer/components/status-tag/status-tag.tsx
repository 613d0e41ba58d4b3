import { type Intent, Tooltip } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { RowTag } from '../row-tag.tsx'

type StatusTagProps = Readonly<{
  /** The colour of the state, never decoration. */
  intent: Intent
  text: string
  tooltip?: ReactNode
}>

/** A state as a tag. The colour only repeats the text. */
export function StatusTag({ intent, text, tooltip }: StatusTagProps) {
  const tag = <RowTag intent={intent}>{text}</RowTag>
  return tooltip ? <Tooltip content={<span>{tooltip}</span>}>{tag}</Tooltip> : tag
}
