import { keepsBodies, openKept, replayBodies, showBodies } from '../stub-bodies.ts'
import { type Screen, signedIn } from './screen.ts'

const bodiesAt = (state: string, how: Pick<Screen, 'prepare' | 'act' | 'isWalked'>): Screen => ({
  page: 'log-bodies',
  state,
  path: '/log?size=20',
  at: 'busy',
  isLoadedAnew: true,
  ...signedIn,
  ...how,
})

/** Stored requests and responses in the log, in their states. */
export const bodiesScreens: readonly Screen[] = [
  bodiesAt('asked', { prepare: keepsBodies(), act: openKept }),
  bodiesAt('shown', { prepare: keepsBodies(), act: showBodies, isWalked: true }),
  bodiesAt('replayed', { prepare: keepsBodies(), act: replayBodies }),
  bodiesAt('replaying', { prepare: keepsBodies({}, 'waiting'), act: replayBodies }),
  bodiesAt('partial', {
    prepare: keepsBodies({
      request: { state: 'cut', text: '{"model":"gpt-4o","messages":[{"role":"user","content":"A long' },
      answer: { state: 'not_text', text: '' },
      can_replay: false,
    }),
    act: showBodies,
  }),
  bodiesAt('no-channel', { prepare: keepsBodies({ model: 'a-model-that-nobody-offers-any-more' }), act: showBodies }),
  bodiesAt('gone', { prepare: keepsBodies('gone'), act: showBodies }),
]
