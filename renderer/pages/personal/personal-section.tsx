import { Card, H2 } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'

type PersonalSectionProps = Readonly<{
  title: string
  className?: string
  children: ReactNode
}>

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
