// SPDX-License-Identifier: Apache-2.0

// The smallest front end in JavaScript, for Node: music, a cue, a chapter tapped on its beats. It waits while
// there is no daemon.
'use strict'
const net = require('node:net')
const readline = require('node:readline')

const folders = [process.env.XDG_RUNTIME_DIR, '/run'].filter(Boolean)
const chosen = process.env.STARLIGHT_SOCKET
const places = chosen ? [chosen] : folders.map((folder) => `${folder}/starlight/starlightd.sock`)
// Reads CLOCK_MONOTONIC, which is the daemon's clock.
const nowUs = () => Number(process.hrtime.bigint() / 1000n)

function play(turn = 0) {
  const path = places[turn % places.length]
  const daemon = net.connect(path)
  const asked = []
  const ask = (method, params) => {
    daemon.write(JSON.stringify({ id: asked.length, method, params }) + '\n')
    asked.push(method)
  }

  daemon.on('connect', () => {
    // A daemon that comes back knows nothing of earlier clients. Ask for everything again.
    ask('session.hello', { protocol: 1, client: 'first steps in JavaScript' })
    ask('session.use', { pack: 'first-steps' })
    ask('events.subscribe', { topics: ['rhythm'] })
    ask('music.play', { track: 'loop' })
    ask('cue.fire', { cue: 'hello' })
    // Begins in a second. Without a lease the chapter ends with this program, not 10 s later.
    ask('rhythm.start', { chapter: 'tap', atUs: nowUs() + 1e6, leaseUs: 0 })
  })
  daemon.on('error', (error) => console.log(`no daemon at ${path}: ${error.code}`))
  daemon.on('close', () => setTimeout(play, 500, turn + 1))

  readline.createInterface({ input: daemon }).on('line', (line) => {
    const { id, error, method, params: told } = JSON.parse(line)
    if (error) {
      // An error without an id answers no request that could be read. It may say why the daemon closes.
      console.log(`${asked[id] ?? 'the connection'} was refused: ${error.message} (${error.data.hint ?? 'no hint'})`)
      // A tap may come too late. Any other request would be refused again.
      if (asked[id] !== 'rhythm.tap') process.exit(1)
    }
    // A game does this when a key is pressed. The stamp counts, not the arrival of the line.
    if (method === 'rhythm.beat') ask('rhythm.tap', { atUs: nowUs() })
    if (method === 'rhythm.judgement') console.log(`beat ${told.beat}: ${told.verdict}, ${told.errorUs} us`)
    if (method === 'rhythm.complete') {
      console.log(`${told.score.hits} hits, ${told.score.misses} misses`)
      process.exit(0)
    }
  }).on('error', () => {}) // The socket reports it.
}

play()
