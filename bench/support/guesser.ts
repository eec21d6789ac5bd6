/**
 * Guesses passwords until its standard input ends: `guesser.ts <origin> <parallel guesses>`. Each
 * guess is at another account, so that no account's limit spares the server the work. Prints the
 * number of guesses that were compared with a password, and of those that were refused before.
 */
const [origin = '', parallel = '1'] = process.argv.slice(2)
let isStopped = false
let sent = 0
let [compared, refused] = [0, 0]

async function guess(): Promise<void> {
  while (!isStopped) {
    const answer = await fetch(`${origin}/v1/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: `user${sent++}@example.com`,
        password: 'not the right password',
      }),
    })
    await answer.arrayBuffer()
    if (answer.status === 429) refused++
    else if (answer.status === 401) compared++
    else throw new Error(`a guess answers ${answer.status}`)
  }
}

const running = Array.from({ length: Number(parallel) }, guess)
process.stdout.write('guessing\n')
process.stdin.resume()
await new Promise((resolve) => process.stdin.on('end', resolve))
isStopped = true
await Promise.all(running)
process.stdout.write(`${compared} ${refused}\n`)
