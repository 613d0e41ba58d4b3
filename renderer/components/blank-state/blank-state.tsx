import './blank-state.css'
import { Classes } from '@blueprintjs/core'
import type { ReactNode } from 'react'

type BlankStateProps = Readonly<{
  icon: ReactNode
  title: string
  /** `page` if it replaces a whole page and carries the page's heading; `section` below a section heading. */
  scope?: 'page' | 'part' | 'section'
  description: string
  action?: ReactNode
}>

/** An empty state: what is missing and what to do about it. Blueprint's NonIdealState with real headings. */
export function BlankState({ icon, title, scope = 'part', description, action }: BlankStateProps) {
  const Heading = headings[scope]
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

const headings = { page: 'h1', part: 'h2', section: 'h3' } as const
