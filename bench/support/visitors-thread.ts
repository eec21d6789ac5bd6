import { Agent, get, type IncomingMessage } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { quantile } from './figures.ts'
import type { Answers, VisitorsInput, VisitorsQuestion, Window } from './visitors.ts'

/**
 * The thread of `visitSteadily`: sends its visits at the time at which each is due, whether the ones before it are
 * answered or not, and answers the questions of its parent.
 */
const { port, rate, links, freshShare } = workerData as VisitorsInput
const TICK_MS = 2
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const agent = new Agent({ keepAlive: true })

const startedAtMs = performance.now()
let sent = 0
let window: number[] = []
const answers: Answers = { sent: 0, ids: [], answeredAtMs: [], failures: {} }
const waiting = new Set<Promise<void>>()

const timer = setInterval(() => {
  const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * rate)
  for (; sent < due; sent++) send(sent)
}, TICK_MS)

parentPort!.on('message', (question: VisitorsQuestion) => {
  if (question.kind === 'window') return parentPort!.postMessage(takeWindow())
  if (question.kind === 'stop') return void stop()
  const { below } = question
  return parentPort!.postMessage(answers.ids.filter((id) => id < below).length)
})

async function stop(): Promise<void> {
  clearInterval(timer)
  await Promise.all(waiting)
  agent.destroy()
  parentPort!.postMessage({ ...answers, sent })
  parentPort!.close()
}

function send(i: number): void {
  const visiting = visit(Math.floor(Math.random() * links), i % 100 < freshShare * 100)
  waiting.add(visiting)
  void visiting.then(() => waiting.delete(visiting))
}

async function visit(link: number, isFresh: boolean): Promise<void> {
  const sentAtMs = performance.now()
  const failure = await follow(link, isFresh)
  window.push(performance.now() - sentAtMs)
  if (failure !== null) answers.failures[failure] = (answers.failures[failure] ?? 0) + 1
}

/** @returns what was wrong, as a status or the code of an error; null for the right answer */
function follow(link: number, isFresh: boolean): Promise<string | null> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    const headers = { host: 'localhost', 'user-agent': BROWSER }
    const address = { host: '127.0.0.1', port, path: `/s${link}`, headers }
    get({ ...address, agent: isFresh ? false : agent }, (answer) => {
      const settle = () => resolve(judge(answer, link))
      answer.once('error', failed).once('end', settle).resume()
    }).once('error', failed)
  })
}

function judge({ statusCode, headers }: IncomingMessage, link: number): string | null {
  if (statusCode !== 302) return String(statusCode)
  if (!headers.location?.endsWith(`?id=${link}`)) return 'another destination'
  // A click has the id of its request.
  answers.ids.push(String(headers['x-request-id']).slice('req_'.length))
  answers.answeredAtMs.push(Date.now())
  return null
}

function takeWindow(): Window {
  const took = window
  window = []
  return {
    requests: took.length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    longestMs: quantile(took, 1),
  }
}
