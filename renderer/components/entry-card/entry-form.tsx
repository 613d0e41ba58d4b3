import './entry-form.css'
import type { ComponentProps } from 'react'
import { Form } from '../form/form.tsx'

/** A form of a few stacked fields on signed-out pages. */
export const EntryForm = (form: Omit<ComponentProps<typeof Form>, 'className'>) => (
  <Form className="entry-form" {...form} />
)
