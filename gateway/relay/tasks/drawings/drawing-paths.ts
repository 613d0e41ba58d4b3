/** Submissions to Midjourney, by the end of the path below `/mj` (docs/reference/tasks.md#drawings). */
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
  // The body of these three contains the action.
  'submit/change': 'change',
  'submit/simple-change': 'simple-change',
  'submit/action': 'action',
} as const satisfies Readonly<Record<string, string>>

export type DrawingSubmit = (typeof submits)[keyof typeof submits]

/** The request of a path below `/mj`; `forward` is the path for the vendor. */
export type DrawingSubmission =
  | Readonly<{ kind: 'submit'; submit: DrawingSubmit; forward: string }>
  | Readonly<{ kind: 'fetch'; id: string }>
  | Readonly<{ kind: 'seed'; id: string; forward: string }>
  | Readonly<{ kind: 'image'; id: string }>
  | Readonly<{ kind: 'list' }>
  | Readonly<{ kind: 'notify' }>

/** A mode, such as `mj-fast`, may precede `/mj`; `api` belongs to the console. */
const MJ = /^(?:\/(?!api\/)([\w-]{1,40}))?\/mj\/(.+)$/
const TASK = /^task\/([^/]+)\/(fetch|image-seed)$/
const IMAGE = /^image\/([^/]+)$/

export const drawingPaths: readonly (readonly ['GET' | 'POST', string])[] = [
  ...Object.keys(submits).map((path) => ['POST', path] as const),
  ['POST', 'notify'],
  ['GET', 'task/{id}/fetch'],
  ['GET', 'task/{id}/image-seed'],
  ['POST', 'task/list-by-condition'],
  ['GET', 'image/{id}'],
]

/** Whether a path belongs to Midjourney, even if unknown. */
export const isDrawingPath = (path: string): boolean => MJ.test(path)

export function drawingSubmissionAt(method: string, path: string): DrawingSubmission | undefined {
  const [, mode = '', below = ''] = MJ.exec(path) ?? []
  // Modes such as mj-fast are this gateway's; any other is the vendor's.
  const forward = `${mode === '' || mode.startsWith('mj-') ? '' : `/${mode}`}/mj/${below}`
  if (method === 'POST') {
    if (Object.hasOwn(submits, below))
      return { kind: 'submit', submit: submits[below as keyof typeof submits], forward } // checked above
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
