/**
 * Script of a separate page, the only one that may load Cloudflare's script; the console's own pages never do. It shows
 * the widget for the site key in its address, and posts the outcome to the page that embeds it.
 */
const { key = '', theme = 'auto', language = 'auto' } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
const tell = (message) => parent.postMessage({ from: 'human-check', ...message }, location.origin)
const fail = () => {
  tell({ problem: true })
  return true
}

const script = document.createElement('script')
script.src = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
script.addEventListener('error', fail)
script.addEventListener('load', () => {
  try {
    turnstile.render('#widget', {
      sitekey: key,
      theme,
      language,
      callback: (token) => tell({ token }),
      'expired-callback': () => tell({ token: '' }),
      'error-callback': fail,
    })
  } catch {
    fail()
  }
})
document.head.append(script)
