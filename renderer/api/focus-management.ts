/**
 * Manages keyboard focus (docs/reference/screens.md#keyboard). An overlay receives focus as a whole, with its name,
 * unless one of its fields takes it; when it closes, however it is closed, focus returns to the previous element. A
 * button regains focus after it was busy. If the focused element is removed, its nearest remaining ancestor receives
 * focus, so that the next Tab continues from there. A click outside every focusable element clears the focus. Called by
 * overlays and once the page has loaded; only the first call has an effect.
 */
export function manageFocus(): void {
  if (isManaged) return
  isManaged = true
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && !isLost())
    focused = { element: activeElement, around: ancestorsOf(activeElement) }
  addEventListener('focusin', recordFocus, true)
  addEventListener(
    'focusout',
    ({ target }) => {
      // The browser blurs a busy button, which may be enabled again in a moment, so this is not a deliberate blur.
      if (target instanceof HTMLElement && usable(target)) afterwards(() => forget(target))
    },
    true,
  )
  addEventListener('pointerdown', () => afterwards(() => forget(focused?.element)), true)
  const look = () => {
    if (isLost()) settleSoon()
    else if (borrowed) returnFocus(borrowed)
  }
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden'],
  })
}

let isManaged = false

/** The element that has, or last had, focus, with its ancestors, the nearest first. */
type FocusLocation = Readonly<{ element: HTMLElement; around: readonly HTMLElement[] }>

let focused: FocusLocation | undefined
/**
 * Both maps are keyed by an overlay's content, which is new each time the overlay opens: `openers` has the previous
 * focus, and `focusedIn` the element inside that was focused last.
 */
const openers = new WeakMap<Element, FocusLocation>()
const focusedIn = new WeakMap<Element, HTMLElement>()

const CONTENT = '.bp6-overlay-content'

function recordFocus({ target, relatedTarget }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return
  const before = focused
  const isEdge = target.matches('.bp6-overlay-start-focus-trap')
  if (!isEdge) focused = { element: target, around: ancestorsOf(target) }
  const overlay = target.closest('.bp6-overlay:not(.bp6-toast-container)')
  const content = overlay?.querySelector<HTMLElement>(`:scope > ${CONTENT}`)
  if (!overlay || !content) return
  if (!openers.has(content) && before && !isOver(before, overlay)) enter(overlay, content, before)
  if (!isEdge) return void focusedIn.set(content, target)
  const isEntered = !(relatedTarget instanceof Node && overlay.contains(relatedTarget))
  if (isEntered) (usable(focusedIn.get(content)) ?? namingElement(content))?.focus({ preventScroll: true })
}

function isOver({ around: ancestorsOf }: FocusLocation, overlay: Element): boolean {
  if (ancestorsOf.some((one) => one === overlay)) return true
  const opener = openerOf(ancestorsOf)
  return opener !== undefined && isOver(opener, overlay)
}

const openerOf = (ancestorsOf: FocusLocation['around']): FocusLocation | undefined => {
  const content = ancestorsOf.find((one) => openers.has(one))
  return content && openers.get(content)
}

/**
 * Stores where the focus was before the overlay opened. The overlay of a dialog must not also be announced as a live
 * region, and its container must not be a tab stop.
 */
function enter(overlay: Element, content: HTMLElement, before: FocusLocation): void {
  openers.set(content, before)
  if (dialogOf(content)) overlay.setAttribute('aria-live', 'off')
  content.tabIndex = -1
}

/** The element that names the overlay: the first entry of a menu, else the dialog with its name. */
function namingElement(content: HTMLElement): HTMLElement | undefined {
  const entry = content.querySelector<HTMLElement>('[role=menu] [role^=menuitem]')
  return entry ?? focusable(dialogOf(content))
}

const dialogOf = (content: HTMLElement): HTMLElement | undefined =>
  content.closest<HTMLElement>(DIALOG) ?? content.querySelector<HTMLElement>(DIALOG) ?? undefined

const DIALOG = '[role=dialog], [role=alertdialog]'

const isLost = () => document.activeElement === null || document.activeElement === document.body

/** An element from which the user moved the focus away on purpose does not regain it. */
function forget(element: EventTarget | null | undefined): void {
  if (isLost() && focused?.element === element && usable(focused?.element)) focused = undefined
}

let isScheduled = false
let lostAt = 0

/** Runs after other handlers that may set the focus themselves. */
function settleSoon(): void {
  if (isScheduled) return
  isScheduled = true
  lostAt ||= performance.now()
  setTimeout(settle, 30)
}

function settle(): void {
  isScheduled = false
  const isBusy = focused?.element.isConnected && focused.element.matches(':disabled')
  if (isLost() && isBusy && performance.now() - lostAt < BUSY_MS) return void setTimeout(settleSoon, BUSY_MS)
  lostAt = 0
  if (!isLost() || !focused) return
  const to = focusTargetFor(focused)
  borrowed = isBusy && to ? { to, by: focused.element } : undefined
  to?.focus({ preventScroll: true })
}

/** The element that has focus while a button stays busy, and that button. */
type BorrowedFocus = Readonly<{ to: HTMLElement; by: HTMLElement }>

let borrowed: BorrowedFocus | undefined

/** Returns focus to the button unless the user has moved on. */
function returnFocus({ to, by }: BorrowedFocus): void {
  if (document.activeElement !== to) borrowed = undefined
  else if (usable(by)) {
    borrowed = undefined
    by.focus({ preventScroll: true })
  }
}

const BUSY_MS = 1500

/**
 * Where focus belongs: the element itself, the one that had focus before an overlay opened, or the nearest remaining
 * ancestor.
 */
function focusTargetFor({ element, around: ancestorsOf }: FocusLocation): HTMLElement | undefined {
  const here = usable(element)
  if (here) return here
  const closed = ancestorsOf.find((one) => one.matches(CONTENT) && !one.isConnected)
  const opener = closed && openers.get(closed)
  if (opener) return focusTargetFor(opener)
  const left = ancestorsOf.find((one) => one.isConnected && one.matches(announceable) && isShown(one))
  return focusable(left?.matches('main') ? (left.querySelector<HTMLElement>('h1') ?? left) : left)
}

/** Elements that can be announced as a whole; a page is announced by its heading. */
const announceable = 'tr, li, [role=dialog], [role=alertdialog], section, form, main'

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const found = []
  for (let one = element.parentElement; one; one = one.parentElement) found.push(one)
  return found
}

const isShown = (element: HTMLElement) => element.getClientRects().length > 0

const usable = (element: HTMLElement | undefined): HTMLElement | undefined =>
  element?.isConnected && !element.matches(':disabled') && isShown(element) ? element : undefined

function focusable(element: HTMLElement | undefined): HTMLElement | undefined {
  if (element && !element.hasAttribute('tabindex')) element.tabIndex = -1
  return element
}

const afterwards = (work: () => void) => void setTimeout(work)
