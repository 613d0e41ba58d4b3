import './blank-state.css'
import { Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'

type BlankStateProps = Readonly<{
  icon: ReactNode
  title: string
  /** `page` when it stands in for a whole page and so carries the page's heading. */
  scope?: 'page' | 'part'
  description: string
  /** The button that ends this state. */
  action?: ReactNode
}>

/** Stands where there is nothing to show: what is missing and what to do about it. Blueprint's look, with real headings. */
export function BlankState({ icon, title, scope = 'part', description, action }: BlankStateProps) {
  const Heading = scope === 'page' ? 'h1' : 'h2'
  return (
    <div className={`blank-state ${Classes.NON_IDEAL_STATE} ${Classes.NON_IDEAL_STATE}-vertical`}>
      <div className={Classes.NON_IDEAL_STATE_VISUAL}>{icon}</div>
      <div className={Classes.NON_IDEAL_STATE_TEXT}>
        <Heading className={`blank-state-title ${Classes.HEADING}`}>{title}</Heading>
        <div>{description}</div>
      </div>
      {action}
    </div>
  )
}
