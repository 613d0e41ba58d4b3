import './section.css'
import type { ReactNode } from 'react'

/** Fields of a form that belong together, under the name of what they are about. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="section">
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
