import './entry-form.css'
import type { ComponentProps } from 'react'
import { Form } from '../form/form.tsx'

/** A form of a few fields, one below the other, as the pages for who is not signed in have it. */
export const EntryForm = (form: Omit<ComponentProps<typeof Form>, 'className'>) => (
  <Form className="entry-form" {...form} />
)
