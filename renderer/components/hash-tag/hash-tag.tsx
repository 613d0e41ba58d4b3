import './hash-tag.css'
import { Tag } from '@blueprintjs/core'
import { colourOf, type TagColour } from './colour-of.ts'

/** A name as a tag coloured by the name, so that equal names match; `colour` overrides it. */
export function HashTag({ text, colour = colourOf(text) }: { text: string; colour?: TagColour }) {
  return (
    <Tag minimal className="hash-tag" data-colour={colour}>
      {text}
    </Tag>
  )
}
