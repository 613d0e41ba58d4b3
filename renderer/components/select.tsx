import { HTMLSelect, type HTMLSelectProps } from '@blueprintjs/core'

/** The browser's native select. Its arrow has no title: Blueprint would label it in English on every page. */
export function Select(props: HTMLSelectProps) {
  return <HTMLSelect iconProps={{ title: '' }} {...props} />
}
