import { HTMLSelect, type HTMLSelectProps } from '@blueprintjs/core'

/** A choice of a few in the browser's own list. Its arrow says nothing: Blueprint would name it, in English, on every page. */
export function Select(props: HTMLSelectProps) {
  return <HTMLSelect iconProps={{ title: '' }} {...props} />
}
