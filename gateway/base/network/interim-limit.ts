import type { ClientRequest, IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

/**
 * Max interim responses (1xx) to one request. Servers send one or two; HTTP clients have no limit, and their timeouts
 * begin again at each.
 */
export const MAX_INTERIM = 16

export const tooManyInterim = (): Error => new Error('the server sent too many interim responses')

/** Limits the interim responses of a dispatcher's requests: `agent.compose(limitInterim)`. */
export const limitInterim: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, new InterimLimit(handler))

/** Limits the interim responses to a request of Node's client. */
export function limitInterimOf(request: ClientRequest): void {
  let interim = 0
  request.on('information', () => {
    interim += 1
    if (interim > MAX_INTERIM) request.destroy(tooManyInterim())
  })
}

class InterimLimit implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  #interim = 0

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: object): void {
    this.#handler.onRequestStart?.(controller, context)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    if (status < 200) this.#interim += 1
    if (this.#interim > MAX_INTERIM) controller.abort(tooManyInterim())
    else this.#handler.onResponseStart?.(controller, status, headers, message)
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    this.#handler.onResponseData?.(controller, bytes)
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#handler.onResponseEnd?.(controller, trailers)
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#handler.onResponseError?.(controller, error)
  }
}
