import { Card, H2 } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'

type PersonalSectionProps = Readonly<{
  title: string
  /** Its place among the others, for its looks. */
  className?: string
  children: ReactNode
}>

/** A card of the page, under a heading of its own. */
export function PersonalSection({ title, className = '', children }: PersonalSectionProps) {
  const id = useId()
  return (
    <section className={`personal-section ${className}`} aria-labelledby={id}>
      <Card className="personal-card">
        <H2 id={id} className="personal-heading" tabIndex={-1}>
          {title}
        </H2>
        {children}
      </Card>
    </section>
  )
}
