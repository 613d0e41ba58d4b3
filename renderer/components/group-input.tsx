import { useGroupName } from './group-name.ts'
import { TagListInput, type TagListInputProps } from './tag-list-input/tag-list-input.tsx'

/** A list of groups shown by display name; its values are group names, even if a display name was typed. */
export function GroupInput({ values, suggestions = [], onValues, ...props }: TagListInputProps) {
  const nameOf = useGroupName()
  const known = [...suggestions, ...values]
  const groupOf = (name: string) => known.find((group) => nameOf(group) === name) ?? name
  return (
    <TagListInput
      {...props}
      values={values.map(nameOf)}
      suggestions={suggestions.map(nameOf)}
      onValues={(names) => onValues([...new Set(names.map(groupOf))])}
    />
  )
}
