import './entry-card.css'
import { Card, H1 } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTitle } from '../use-title.ts'

type EntryCardProps = Readonly<{
  title: string
  /** The window's title, if shorter than the card's. */
  name?: string
  children: ReactNode
  links?: ReactNode
}>

/** The card of a signed-out page (docs/reference/screens.md#login): heading, form and links. */
export function EntryCard({ title, name = title, children, links }: EntryCardProps) {
  useTitle(name)
  return (
    <Card className="entry-card">
      <H1 className="entry-card-title">{title}</H1>
      {children}
      {links && <div className="entry-card-ways">{links}</div>}
    </Card>
  )
}
