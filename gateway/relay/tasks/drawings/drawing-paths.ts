/** What is asked of Midjourney, by the end of its path below `/mj` (docs/reference/tasks.md#drawings). */
const submits = {
  'submit/imagine': 'IMAGINE',
  'submit/describe': 'DESCRIBE',
  'submit/blend': 'BLEND',
  'submit/shorten': 'SHORTEN',
  'submit/edits': 'EDITS',
  'submit/video': 'VIDEO',
  'submit/modal': 'MODAL',
  'submit/upload-discord-images': 'UPLOAD',
  'insight-face/swap': 'SWAP_FACE',
  // These three name what they do in their body.
  'submit/change': 'change',
  'submit/simple-change': 'simple-change',
  'submit/action': 'action',
} as const satisfies Readonly<Record<string, string>>

/** What a path submits: an action, or where its body says which. */
export type DrawingSubmit = (typeof submits)[keyof typeof submits]

/** What a path below `/mj` asks for; `below` is its end, for the vendor. */
export type DrawingAsk =
  | Readonly<{ kind: 'submit'; submit: DrawingSubmit; forward: string }>
  | Readonly<{ kind: 'fetch'; id: string }>
  | Readonly<{ kind: 'seed'; id: string; forward: string }>
  | Readonly<{ kind: 'image'; id: string }>
  | Readonly<{ kind: 'list' }>
  | Readonly<{ kind: 'notify' }>

/** A mode in front of it, such as `mj-fast`; `api` is the console's. */
const MJ = /^(?:\/(?!api\/)([\w-]{1,40}))?\/mj\/(.+)$/
const TASK = /^task\/([^/]+)\/(fetch|image-seed)$/
const IMAGE = /^image\/([^/]+)$/

/** Every path below `/mj`, for the API's document: method and path. */
export const drawingPaths: readonly (readonly ['GET' | 'POST', string])[] = [
  ...Object.keys(submits).map((path) => ['POST', path] as const),
  ['POST', 'notify'],
  ['GET', 'task/{id}/fetch'],
  ['GET', 'task/{id}/image-seed'],
  ['POST', 'task/list-by-condition'],
  ['GET', 'image/{id}'],
]

/** Whether a path is Midjourney's, whatever is there. */
export const isDrawingPath = (path: string): boolean => MJ.test(path)

/** What a request to Midjourney asks for; undefined for any other path. */
export function drawingAskAt(method: string, path: string): DrawingAsk | undefined {
  const [, mode = '', below = ''] = MJ.exec(path) ?? []
  // Names such as mj-fast are of this side; any other mode is the vendor's.
  const forward = `${mode === '' || mode.startsWith('mj-') ? '' : `/${mode}`}/mj/${below}`
  if (method === 'POST') {
    if (Object.hasOwn(submits, below))
      return { kind: 'submit', submit: submits[below as keyof typeof submits], forward } // has just been looked up
    if (below === 'task/list-by-condition') return { kind: 'list' }
    return below === 'notify' ? { kind: 'notify' } : undefined
  }
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const [, id = '', what] = TASK.exec(below) ?? []
  if (what === 'fetch') return { kind: 'fetch', id: decoded(id) }
  if (what) return { kind: 'seed', id: decoded(id), forward }
  const image = IMAGE.exec(below)?.[1]
  return image === undefined ? undefined : { kind: 'image', id: decoded(image) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
