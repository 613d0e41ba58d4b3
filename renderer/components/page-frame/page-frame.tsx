import './page-frame.css'
import { H1 } from '@blueprintjs/core'
import { type ReactNode, useRef } from 'react'
import { useTitle } from '../use-title.ts'
import { useMainAction } from './main-action.ts'

type PageFrameProps = Readonly<{
  title: string
  action?: ReactNode
  filters?: ReactNode
  /** Uses the width of a large window, for lists of many columns. */
  isWide?: boolean
  children: ReactNode
}>

export function PageFrame({ title, action, filters, isWide = false, children }: PageFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  useTitle(title)
  useMainAction(frame)
  return (
    <div ref={frame} className={isWide ? 'page-frame page-frame-wide' : 'page-frame'}>
      <div className="page-frame-head">
        <H1 className="page-frame-title">{title}</H1>
        {action && <div className="page-frame-actions">{action}</div>}
      </div>
      {filters}
      {children}
    </div>
  )
}
