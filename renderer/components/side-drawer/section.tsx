import './section.css'
import type { ReactNode } from 'react'

/** A named group of fields in a form. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="section">
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
