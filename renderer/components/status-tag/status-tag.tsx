import { type Intent, Tag, Tooltip } from '@blueprintjs/core'
import type { ReactNode } from 'react'

type StatusTagProps = Readonly<{
  /** The colour of the state, never decoration. */
  intent: Intent
  text: string
  tooltip?: ReactNode
}>

/** A state as a tag. The colour only repeats the text. */
export function StatusTag({ intent, text, tooltip }: StatusTagProps) {
  const tag = (
    <Tag minimal intent={intent}>
      {text}
    </Tag>
  )
  return tooltip ? <Tooltip content={<span>{tooltip}</span>}>{tag}</Tooltip> : tag
}
