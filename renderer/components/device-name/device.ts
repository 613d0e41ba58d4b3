/** What a browser says of itself, in words; a part that is not known is missing. */
export type Device = Readonly<{ program?: string; system?: string }>

/** How our desktop program, and others made of the same, are told from browsers. */
export const DESKTOP_PROGRAM = 'Electron'

/** The first that fits: most browsers also name those they are made of. */
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

/** Program and system of a `User-Agent`. Of what is no browser the program is its product token, such as `curl`. */
export function deviceOf(userAgent: string): Device {
  const program = nameIn(programs, userAgent) ?? tokenOf(userAgent)
  const system = nameIn(systems, userAgent)
  return { ...(program && { program }), ...(system && { system }) }
}

const nameIn = (names: typeof programs, userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** Every browser begins with the token of one that is long gone. */
function tokenOf(userAgent: string): string | undefined {
  const token = /^[^\s/();]{1,40}/.exec(userAgent.trim())?.[0]
  return token === 'Mozilla' ? undefined : token
}
