/**
 * Keeps the focus of the keyboard in sight (docs/reference/screens.md#keyboard). What opens over a page has it as a whole,
 * with its name, unless one of its fields asks for it; once that is closed it goes back to what had it before, however it was
 * closed. A button that is busy has it again afterwards. Where what had it is gone, the nearest thing around it that is left
 * has it, so that the next Tab goes on from there. Who clicks beside everything gives it up. Called by what opens, and once the
 * page is there; more than once does nothing.
 */
export function manageFocus(): void {
  if (isManaged) return
  isManaged = true
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && !isLost())
    held = { element: activeElement, around: around(activeElement) }
  addEventListener('focusin', note, true)
  addEventListener(
    'focusout',
    ({ target }) => {
      // The browser takes it from a button that is busy, which may be free again in a moment: nobody has let it go.
      if (target instanceof HTMLElement && usable(target)) afterwards(() => forget(target))
    },
    true,
  )
  addEventListener('pointerdown', () => afterwards(() => forget(held?.element)), true)
  const look = () => {
    if (isLost()) settleSoon()
    else if (lent) takeBack(lent)
  }
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden'],
  })
}

let isManaged = false

/** What has the focus, or had it last, with all that it stood in, the nearest first. */
type Place = Readonly<{ element: HTMLElement; around: readonly HTMLElement[] }>

let held: Place | undefined
/** By the content of what has opened, which is another one each time: what had the focus before, and what has it in there. */
const openers = new WeakMap<Element, Place>()
const heldIn = new WeakMap<Element, HTMLElement>()

const CONTENT = '.bp6-overlay-content'

function note({ target, relatedTarget }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return
  const before = held
  const isEdge = target.matches('.bp6-overlay-start-focus-trap')
  if (!isEdge) held = { element: target, around: around(target) }
  const overlay = target.closest('.bp6-overlay:not(.bp6-toast-container)')
  const content = overlay?.querySelector<HTMLElement>(`:scope > ${CONTENT}`)
  if (!overlay || !content) return
  if (!openers.has(content) && before && !isOver(before, overlay)) enter(overlay, content, before)
  if (!isEdge) return void heldIn.set(content, target)
  const isEntered = !(relatedTarget instanceof Node && overlay.contains(relatedTarget))
  if (isEntered) (usable(heldIn.get(content)) ?? named(content))?.focus({ preventScroll: true })
}

/** Whether a place is in an overlay, or in what has opened over it from there. */
function isOver({ around }: Place, overlay: Element): boolean {
  if (around.some((one) => one === overlay)) return true
  const opener = openerOf(around)
  return opener !== undefined && isOver(opener, overlay)
}

const openerOf = (around: Place['around']): Place | undefined => {
  const content = around.find((one) => openers.has(one))
  return content && openers.get(content)
}

/** The focus comes into what has opened: the whole of a dialog is no news, and what holds it no stop of its own. */
function enter(overlay: Element, content: HTMLElement, before: Place): void {
  openers.set(content, before)
  if (dialogOf(content)) overlay.setAttribute('aria-live', 'off')
  content.tabIndex = -1
}

/** What says what has opened: the first entry of a menu, else the dialog with its name. */
function named(content: HTMLElement): HTMLElement | undefined {
  const entry = content.querySelector<HTMLElement>('[role=menu] [role^=menuitem]')
  return entry ?? focusable(dialogOf(content))
}

const dialogOf = (content: HTMLElement): HTMLElement | undefined =>
  content.closest<HTMLElement>(DIALOG) ?? content.querySelector<HTMLElement>(DIALOG) ?? undefined

const DIALOG = '[role=dialog], [role=alertdialog]'

const isLost = () => document.activeElement === null || document.activeElement === document.body

/** Whoever let it go on purpose does not get it back. */
function forget(element: EventTarget | null | undefined): void {
  if (isLost() && held?.element === element && usable(held?.element)) held = undefined
}

let isComing = false
let lostAt = 0

/** After those who know better where it belongs. */
function settleSoon(): void {
  if (isComing) return
  isComing = true
  lostAt ||= performance.now()
  setTimeout(settle, 30)
}

function settle(): void {
  isComing = false
  const isBusy = held?.element.isConnected && held.element.matches(':disabled')
  if (isLost() && isBusy && performance.now() - lostAt < BUSY_MS) return void setTimeout(settleSoon, BUSY_MS)
  lostAt = 0
  if (!isLost() || !held) return
  const to = placeFor(held)
  lent = isBusy && to ? { to, by: held.element } : undefined
  to?.focus({ preventScroll: true })
}

/** What has the focus while a button is busy for long, and that button. */
type Lent = Readonly<{ to: HTMLElement; by: HTMLElement }>

let lent: Lent | undefined

/** The button has it again, unless the person has gone on meanwhile. */
function takeBack({ to, by }: Lent): void {
  if (document.activeElement !== to) lent = undefined
  else if (usable(by)) {
    lent = undefined
    by.focus({ preventScroll: true })
  }
}

const BUSY_MS = 1500

/** Where the focus belongs that was here: here, or where it was before something opened, or the nearest of what is left. */
function placeFor({ element, around }: Place): HTMLElement | undefined {
  const here = usable(element)
  if (here) return here
  const closed = around.find((one) => one.matches(CONTENT) && !one.isConnected)
  const opener = closed && openers.get(closed)
  if (opener) return placeFor(opener)
  const left = around.find((one) => one.isConnected && one.matches(places) && isShown(one))
  return focusable(left?.matches('main') ? (left.querySelector<HTMLElement>('h1') ?? left) : left)
}

/** What can be said as a whole; a page is said by its heading. */
const places = 'tr, li, [role=dialog], [role=alertdialog], section, form, main'

function around(element: HTMLElement): HTMLElement[] {
  const found = []
  for (let one = element.parentElement; one; one = one.parentElement) found.push(one)
  return found
}

const isShown = (element: HTMLElement) => element.getClientRects().length > 0

const usable = (element: HTMLElement | undefined): HTMLElement | undefined =>
  element?.isConnected && !element.matches(':disabled') && isShown(element) ? element : undefined

/** Makes sure that a script can focus an element. */
function focusable(element: HTMLElement | undefined): HTMLElement | undefined {
  if (element && !element.hasAttribute('tabindex')) element.tabIndex = -1
  return element
}

const afterwards = (work: () => void) => void setTimeout(work)
