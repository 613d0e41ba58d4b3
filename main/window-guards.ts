import { type BrowserWindow, shell } from 'electron'
import { type Chats, isForBrowser, outsideAddress, outsideAddressOfFrame } from './outside.ts'

type Contents = BrowserWindow['webContents']
type Navigation = Readonly<{ url: string; initiator?: Contents['mainFrame'] | null; preventDefault(): void }>

type Guarded = Readonly<{
  contents: Contents
  origin: string
  chats: () => Chats
  /** Navigates the window to a page of the console. */
  lead: (address: string) => void
  /**
   * Asks the user whether to open an address requested by a frame in the system's browser; undefined if they could
   * not be asked.
   */
  confirm: (address: string) => Promise<boolean | undefined>
}>

/**
 * Keeps a page on its origin, whatever it contains; the console's own links open in the same window. Frames, such as
 * the operator's own page, may navigate the web but never the window; addresses they open go to the system's browser
 * after the user has agreed (docs/reference/security.md#desktop-frames).
 */
export function keepInside({ contents, origin, chats, lead, confirm }: Guarded): void {
  const isInside = (target: string) => isPageOf(target, origin)
  const openForFrame = confirmedOpening(contents, confirm)
  const stay = (navigation: Navigation) => {
    const isOwn = isOfConsole(navigation, contents, origin)
    if (isOwn && isInside(navigation.url)) return
    navigation.preventDefault()
    if (isOwn) openOutside(outsideAddress(navigation.url, chats()))
  }
  const stayOnWeb = (navigation: Navigation) => {
    if (!isFrameUrl(navigation.url)) navigation.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-redirect', (event) => (event.isMainFrame ? stay : stayOnWeb)(event))
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) stayOnWeb(event)
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    // The initiator is unknown: while external pages are shown, it may be one of those pages.
    if (hasForeignFrames(contents, origin)) void openForFrame(isInside(url) ? undefined : outsideAddressOfFrame(url))
    else if (isInside(url) && !isForBrowser(url)) lead(url)
    else openOutside(outsideAddress(url, chats()))
    return { action: 'deny' }
  })
}

/** Whether an address is a console page of this origin; excludes URLs derived from it, such as `blob:`. */
export function isPageOf(target: string, origin: string): boolean {
  const url = URL.parse(target)
  return url?.origin === origin && /^https?:$/.test(url.protocol)
}

/** Whether the page has a foreign frame: one with another origin, or an opaque one due to its sandbox. */
const hasForeignFrames = ({ mainFrame }: Contents, origin: string): boolean =>
  mainFrame.framesInSubtree.some((frame) => frame.parent !== null && frame.origin !== origin)

/**
 * Whether the console itself started the navigation. An unknown initiator may be a frame that no longer exists, so it
 * counts as the console only if the page has no foreign frames.
 */
const isOfConsole = ({ initiator }: Navigation, contents: Contents, origin: string): boolean =>
  initiator ? initiator.parent === null : !hasForeignFrames(contents, origin)

/**
 * Asks about one address at a time. After a refusal, asks no more until the console's page changes, so that a frame
 * cannot keep asking.
 */
function confirmedOpening(
  contents: Contents,
  confirm: Guarded['confirm'],
): (address: string | undefined) => Promise<void> {
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
    const isWanted = await confirm(address)
    if (isWanted === false) return
    hearAgain()
    if (isWanted) openOutside(address)
  }
}

/** Web pages, and content a page writes into a frame: no files, and no other schemes. */
const isFrameUrl = (target: string): boolean =>
  ['http:', 'https:', 'about:', 'blob:', 'data:'].includes(URL.parse(target)?.protocol ?? '')

function openOutside(address: string | undefined): void {
  // A system without a program for such links reports that itself.
  if (address !== undefined) shell.openExternal(address).catch(() => {})
}
