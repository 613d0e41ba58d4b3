import type { Recorded, Script, Upstream } from './upstream.ts'

/** A fake vendor's report on a task, in its own format. */
export type Told = Record<string, unknown>

/** A vendor of tasks behind the fake upstream: it accepts tasks and reports what the test specifies. */
export interface TaskVendor {
  /** Sets its report on a task. */
  tells(id: string, told: Told): void
  /** Sets the response to the next submissions; undefined restores the default. */
  submits(answer: Script | undefined): void
  askedAt(path: string): readonly Recorded[]
  /** Sets a response to status queries that replaces the reports; undefined restores them. */
  breaks(answer: Script | undefined): void
}

/** A Midjourney proxy: ids are `mj-1`, `mj-2` and so on. */
export const aDrawingVendor = (upstream: Upstream): TaskVendor =>
  aVendor(upstream, {
    list: '/mj/task/list-by-condition',
    listed: (tasks) => tasks,
    submitted: (number) => ({ code: 1, description: 'Submit success', result: `mj-${number}`, properties: {} }),
    idName: 'id',
  })

/** Suno behind the API of the family: ids are `song-1`, `song-2` and so on. */
export const aMusicVendor = (upstream: Upstream): TaskVendor =>
  aVendor(upstream, {
    list: '/suno/fetch',
    listed: (tasks) => ({ code: 'success', message: '', data: tasks }),
    submitted: (number) => ({ code: 'success', message: '', data: `song-${number}` }),
    idName: 'task_id',
  })

type Ways = Readonly<{
  list: string
  listed: (tasks: readonly Told[]) => object
  submitted: (number: number) => object
  idName: string
}>

function aVendor(upstream: Upstream, { list, listed, submitted, idName }: Ways): TaskVendor {
  const tasks = new Map<string, Told>()
  let taken = 0
  let submit: Script | undefined
  let question: Script | undefined
  upstream.answers((request) => {
    if (request.path === list) {
      if (question) return question
      const ids: readonly string[] = request.json?.ids ?? []
      return { body: listed(ids.flatMap((id): Told[] => [tasks.get(id) ?? []].flat())) }
    }
    if (request.path.endsWith('/image-seed')) return { body: { code: 1, description: 'ok', result: '4711' } }
    if (request.path.startsWith('/pictures/')) return PICTURES[request.path] ?? { status: 404, body: 'no' }
    if (submit) return submit
    taken += 1
    return { body: submitted(taken) }
  })
  return {
    tells: (id, told) => void tasks.set(id, { [idName]: id, ...told }),
    submits(answer) {
      submit = answer
    },
    breaks(answer) {
      question = answer
    },
    askedAt: (path) => upstream.requests.filter((request) => request.path === path),
  }
}

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const PICTURES: Readonly<Record<string, Script>> = {
  '/pictures/one.png': { headers: { 'content-type': 'image/png' }, body: PNG },
  '/pictures/one.mp4': { headers: { 'content-type': 'video/mp4' }, body: Buffer.from('a video') },
  '/pictures/page.svg': {
    headers: { 'content-type': 'image/svg+xml' },
    body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
  '/pictures/page.html': { headers: { 'content-type': 'text/html' }, body: '<script>alert(1)</script>' },
  '/pictures/away.png': { status: 302, headers: { location: 'http://169.254.169.254/latest' } },
  '/pictures/huge.png': { headers: { 'content-type': 'image/png' }, body: Buffer.alloc(2 * 1024 * 1024, PNG) },
}
