import './entry-card.css'
import { Card, H1 } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTitle } from '../use-title.ts'

type EntryCardProps = Readonly<{
  title: string
  /** What the window's title has, where the card's own would be too long. */
  name?: string
  children: ReactNode
  /** The ways to the other cards. */
  ways?: ReactNode
}>

/** The card of a page for who is not signed in (docs/reference/screens.md#login): its heading, its form, and where else one may want to go. */
export function EntryCard({ title, name = title, children, ways }: EntryCardProps) {
  useTitle(name)
  return (
    <Card className="entry-card">
      <H1 className="entry-card-title">{title}</H1>
      {children}
      {ways && <div className="entry-card-ways">{ways}</div>}
    </Card>
  )
}
