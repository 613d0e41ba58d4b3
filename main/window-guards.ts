import { type BrowserWindow, shell } from 'electron'
import { type Chats, isForBrowser, outsideAddress, outsideAddressOfFrame } from './outside.ts'

type Contents = BrowserWindow['webContents']
type Navigation = Readonly<{ url: string; initiator?: Contents['mainFrame'] | null; preventDefault(): void }>

export type Guarded = Readonly<{
  contents: Contents
  /** Where the window stays. */
  origin: string
  /** The presets of now. */
  chats: () => Chats
  /** Leads the window to a page of the console. */
  lead: (address: string) => void
  /**
   * Asks the person whether an address that a frame wants to have opened is to open in the system's browser; undefined where
   * they could not be asked.
   */
  ask: (address: string) => Promise<boolean | undefined>
}>

/**
 * A page stays on its origin, whatever it contains; a link of the console to itself opens in the same window. Frames, such as
 * the operator's own page, go on where the web leads them and never lead the window; what they want to have opened goes to the
 * system's browser once the person has agreed (docs/reference/security.md#frames-in-the-desktop).
 */
export function keepInside({ contents, origin, chats, lead, ask }: Guarded): void {
  const isInside = (target: string) => isPageOf(target, origin)
  const openForFrame = askedOpening(contents, ask)
  const stay = (navigation: Navigation) => {
    const isOwn = isOfConsole(navigation, contents, origin)
    if (isOwn && isInside(navigation.url)) return
    navigation.preventDefault()
    if (isOwn) openOutside(outsideAddress(navigation.url, chats()))
  }
  const stayOnWeb = (navigation: Navigation) => {
    if (!isForFrames(navigation.url)) navigation.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-redirect', (event) => (event.isMainFrame ? stay : stayOnWeb)(event))
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) stayOnWeb(event)
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    // Who asks is not told: while pages of others are shown, it may be one of them.
    if (showsOthers(contents, origin)) void openForFrame(isInside(url) ? undefined : outsideAddressOfFrame(url))
    else if (isInside(url) && !isForBrowser(url)) lead(url)
    else openOutside(outsideAddress(url, chats()))
    return { action: 'deny' }
  })
}

/** Whether an address is a page of the console, at its origin: not what a page has made up under its origin, as `blob:` is. */
export function isPageOf(target: string, origin: string): boolean {
  const url = URL.parse(target)
  return url?.origin === origin && /^https?:$/.test(url.protocol)
}

/** Whether a frame of the page is not of the console: one of another origin, or of none, as a sandbox leaves it. */
const showsOthers = ({ mainFrame }: Contents, origin: string): boolean =>
  mainFrame.framesInSubtree.some((frame) => frame.parent !== null && frame.origin !== origin)

/** Whether the console itself leads on. Where nobody is named, it may be a frame that is gone by now. */
const isOfConsole = ({ initiator }: Navigation, contents: Contents, origin: string): boolean =>
  initiator ? initiator.parent === null : !showsOthers(contents, origin)

/**
 * Asks about one address at a time; and about none any more on this page of the console once the person has said no, so that a
 * frame cannot go on asking.
 */
function askedOpening(contents: Contents, ask: Guarded['ask']): (address: string | undefined) => Promise<void> {
  let isSilent = false
  const hearAgain = () => {
    isSilent = false
  }
  contents.on('did-navigate', hearAgain)
  contents.on('did-navigate-in-page', (_, __, isMainFrame) => {
    if (isMainFrame) hearAgain()
  })
  return async (address) => {
    if (address === undefined || isSilent) return
    isSilent = true
    const isWanted = await ask(address)
    if (isWanted === false) return
    hearAgain()
    if (isWanted) openOutside(address)
  }
}

/** Pages of the web, and what a page writes into a frame itself: never a file, nor the program of another scheme. */
const isForFrames = (target: string): boolean =>
  ['http:', 'https:', 'about:', 'blob:', 'data:'].includes(URL.parse(target)?.protocol ?? '')

function openOutside(address: string | undefined): void {
  // A system without a program for such links says so itself.
  if (address !== undefined) shell.openExternal(address).catch(() => {})
}
