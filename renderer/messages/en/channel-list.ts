/** Texts of the list of channels: its last tests, figures and batch operations, in English. */
export const channelList = {
  'time.justNow': 'just now',
  'time.minutesAgo': '{n} min ago',
  'time.hoursAgo': '{n} h ago',
  'time.daysAgo': '{n} d ago',
  'channel.lastTest': 'Last test',
  'channel.milliseconds': '{n} ms',
  'channel.failed.status': 'Failed {status}',
  'channel.failed.timeout': 'Timed out',
  'channel.failed.unreachable': 'Unreachable',
  'channel.failed.other': 'Failed',
  'channel.failedWhy': 'What the last test of {name} found',
  'channel.failedOf': '{n} of {total} failed',
}
