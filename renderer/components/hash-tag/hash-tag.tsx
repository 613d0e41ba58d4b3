import './hash-tag.css'
import { RowTag } from '../row-tag.tsx'
import { colourOf, type TagColour } from './colour-of.ts'

/** A name as a tag coloured by the name, so that equal names match; `colour` overrides it. */
export function HashTag({ text, colour = colourOf(text) }: { text: string; colour?: TagColour }) {
  return (
    <RowTag className="hash-tag" data-colour={colour}>
      {text}
    </RowTag>
  )
}
