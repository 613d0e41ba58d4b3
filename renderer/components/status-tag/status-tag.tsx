import { type Intent, Tag, Tooltip } from '@blueprintjs/core'
import type { ReactNode } from 'react'

type StatusTagProps = Readonly<{
  /** Green, yellow, red or grey: the state, never decoration. */
  intent: Intent
  text: string
  /** Why it is so; shown on hover and on focus. */
  tooltip?: ReactNode
}>

/** The state of something as a tag. Its colour repeats what its text says, for nobody has to see colours. */
export function StatusTag({ intent, text, tooltip }: StatusTagProps) {
  const tag = (
    <Tag minimal intent={intent}>
      {text}
    </Tag>
  )
  return tooltip ? <Tooltip content={<span>{tooltip}</span>}>{tag}</Tooltip> : tag
}
