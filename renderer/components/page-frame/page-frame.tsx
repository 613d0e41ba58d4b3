import './page-frame.css'
import { H1 } from '@blueprintjs/core'
import { type ReactNode, useRef } from 'react'
import { useTitle } from '../use-title.ts'
import { useMainAction } from './main-action.ts'

type PageFrameProps = Readonly<{
  /** The page's heading and the first part of the window's title. */
  title: string
  /** The one primary action of the page; the command palette finds its button here. */
  action?: ReactNode
  /** One line of filters under the title. */
  filters?: ReactNode
  /** A list of many columns takes the width of a large window. */
  isWide?: boolean
  children: ReactNode
}>

/** The frame of every working page: its title, its one action at the right, its filters, then the content. */
export function PageFrame({ title, action, filters, isWide = false, children }: PageFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  useTitle(title)
  useMainAction(frame)
  return (
    <div ref={frame} className={isWide ? 'page-frame page-frame-wide' : 'page-frame'}>
      <div className="page-frame-head">
        <H1 className="page-frame-title">{title}</H1>
        {action}
      </div>
      {filters}
      {children}
    </div>
  )
}
