import { Classes } from '@blueprintjs/core'

/** Keys as they are printed on keyboards, which is the same in every language: `mod+k` together, `g t` one after the other. */
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

/** What is printed on a key; Blueprint's `mod` is ⌘ on a Mac and Ctrl elsewhere. */
function capOf(key: string): string {
  if (key === 'mod') return isMac ? '⌘' : 'Ctrl'
  if (key === 'shift') return isMac ? '⇧' : 'Shift'
  if (key === 'enter') return isMac ? '⏎' : 'Enter'
  return key.toUpperCase()
}
