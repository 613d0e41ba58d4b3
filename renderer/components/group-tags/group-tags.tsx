import { useGroupName } from '../group-name.ts'
import type { TagColour } from '../hash-tag/colour-of.ts'
import { HashTag } from '../hash-tag/hash-tag.tsx'
import './group-tags.css'

/** Groups as tags, in the colours of docs/reference/screens.md#formats-and-colors. */
export function GroupTags({ groups }: { groups: readonly string[] }) {
  const nameOf = useGroupName()
  return (
    <span className="group-tags" title={groups.map(nameOf).join(', ')}>
      {groups.map((name) => (
        <HashTag key={name} text={nameOf(name)} {...colourOf(name)} />
      ))}
    </span>
  )
}

/** Fixed colours of common groups; others are coloured by name. */
const colours: ReadonlyMap<string, TagColour> = new Map<string, TagColour>([
  ['', 'orange'],
  ['vip', 'yellow'],
  ['pro', 'yellow'],
  ['svip', 'red'],
  ['premium', 'red'],
])

function colourOf(name: string): { colour?: TagColour } {
  const colour = colours.get(name)
  return colour ? { colour } : {}
}
