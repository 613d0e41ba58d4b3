import { Classes } from '@blueprintjs/core'

/** Keys as printed on keyboards, in every language: `mod+k` together, `g t` in sequence. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={Classes.KEY_COMBO}>
      {keys.split(/[+ ]/).map((key) => (
        <kbd key={key} className={Classes.KEY}>
          {capOf(key)}
        </kbd>
      ))}
    </span>
  )
}

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** The label of a key; Blueprint's `mod` is ⌘ on a Mac and Ctrl elsewhere. */
function capOf(key: string): string {
  if (key === 'mod') return isMac ? '⌘' : 'Ctrl'
  if (key === 'shift') return isMac ? '⇧' : 'Shift'
  if (key === 'enter') return isMac ? '⏎' : 'Enter'
  return key.toUpperCase()
}
