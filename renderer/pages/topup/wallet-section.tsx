import { Card, H2 } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'

export function WalletSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="topup-section" aria-labelledby={id}>
      <Card className="topup-card">
        <H2 id={id} className="topup-heading">
          {title}
        </H2>
        {children}
      </Card>
    </section>
  )
}
