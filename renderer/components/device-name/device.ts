type Device = Readonly<{ program?: string; system?: string }>

/** Identifies the desktop program and other Electron apps. */
export const DESKTOP_PROGRAM = 'Electron'

/** The first match wins: most browsers also name those they derive from. */
const programs: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bElectron\//, DESKTOP_PROGRAM],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.{0,200}\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPadOS'],
  [/\b(?:iPhone|iPod)\b/, 'iOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Parses a `User-Agent`. For non-browsers, the program is the product token, such as `curl`. */
export function deviceOf(userAgent: string): Device {
  const program = nameIn(programs, userAgent) ?? tokenOf(userAgent)
  const system = nameIn(systems, userAgent)
  return { ...(program && { program }), ...(system && { system }) }
}

const nameIn = (names: typeof programs, userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** The product token at the start of a user agent; undefined for browsers, which all start with `Mozilla`. */
function tokenOf(userAgent: string): string | undefined {
  const token = /^[^\s/();]{1,40}/.exec(userAgent.trim())?.[0]
  return token === 'Mozilla' ? undefined : token
}
