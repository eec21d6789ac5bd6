/**
 * Guesses passwords until its standard input ends: `guesser.ts <origin> <parallel guesses> [links]`. Each
 * guess is at another account, or from another network at one of the links `locked-0` …, so that no
 * limit of an account or a network spares the server the work. Prints the
 * number of guesses that were compared with a password, and of those that were refused before, also
 * because too many wait.
 */
const [origin = '', parallel = '1', links = '0'] = process.argv.slice(2)
const REFUSALS = new Set([429, 503])
const WRONG = 'not the right password'
let isStopped = false
let sent = 0
let [compared, refused] = [0, 0]

async function guess(): Promise<void> {
  while (!isStopped) {
    sent++
    const answer = links === '0' ? await guessAccount() : await guessLink()
    await answer.arrayBuffer()
    if (REFUSALS.has(answer.status)) refused++
    else if (answer.status === 401) compared++
    else throw new Error(`a guess answers ${answer.status}`)
  }
}

function guessAccount(): Promise<Response> {
  return fetch(`${origin}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `user${sent}@example.com`, password: WRONG }),
  })
}

function guessLink(): Promise<Response> {
  return fetch(`${origin}/locked-${sent % Number(links)}`, {
    method: 'POST',
    headers: { 'x-forwarded-for': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}` },
    body: new URLSearchParams({ password: WRONG }),
  })
}

const running = Array.from({ length: Number(parallel) }, guess)
process.stdout.write('guessing\n')
process.stdin.resume()
await new Promise((resolve) => process.stdin.on('end', resolve))
isStopped = true
await Promise.all(running)
process.stdout.write(`${compared} ${refused}\n`)
