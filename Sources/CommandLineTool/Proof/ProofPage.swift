// SPDX-License-Identifier: Apache-2.0

import ClosedLoop
import CommandTable
import PatternTools

/// A proof as a page that needs nothing else: no script, no font, no picture from elsewhere.
extension ProofReport {
  var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="color-scheme" content="light dark"/>
    <title>Heard, felt and told</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <h1>Heard, felt and told</h1>
    <p class="lead">\(summary)</p>
    <ul class="conclusions">
    \(conclusions.map { "<li class=\"\($0.outcome.rawValue)\"><b>\($0.outcome.word).</b> \(escaped($0.sentence)).</li>" }.joined(separator: "\n"))
    </ul>
    \(proof.rows.map(section).joined(separator: "\n"))
    \(course)
    <h2>Reported by the daemon</h2>
    \(table(reported))
    <h2>The machine</h2>
    \(table(facts))
    </body>
    </html>

    """
  }

  private var summary: String {
    "starlightd played \(proof.tried) chirps of \(CodedChirp.codes) kinds; \(proof.heard) were found again in what was "
      + "captured, to the sample. All instants are on CLOCK_MONOTONIC; the capture's clock is within "
      + "\(milliseconds(proof.captureErrorUs, places: 2)), and lost frames \(count(proof.captureLosses, "time"))."
  }

  private func section(_ row: Proof.Row) -> String {
    guard let statistics = row.statistics else { return "" }
    let names = ["smallest", "median", "99 of 100 within", "largest"]
    let figures = zip(names, [statistics.least] + shownFigures(statistics)).compactMap { name, value in
      value.map { "<div><dt>\(name)</dt><dd>\(milliseconds($0, places: 2))</dd></div>" }
    }
    return """
      <section>
      <h2>\(capitalised(row.what.title)) <span class="origin">\(row.origin)</span></h2>
      <p>\(escaped(capitalised(row.from))); \(statistics.count) times.</p>
      <dl>\(figures.joined())</dl>
      \(ProofDrawing.histogram(row))
      <p class="unseen">Not seen: \(escaped(row.unseen)).</p>
      </section>
      """
  }

  private var course: String {
    guard proof.run.count > 1 else { return "" }
    let drift = proof.driftPPM.map { " It drifts by \(fixed($0, 1)) us a second." } ?? ""
    return """
      <section>
      <h2>Told to heard over the run</h2>
      <p>Each chirp where it was heard, later than told by so much.\(drift)</p>
      \(ProofDrawing.run(proof.run))
      </section>
      """
  }

  private func table(_ facts: [Fact]) -> String {
    "<table>"
      + facts.map { fact in
        let unseen = fact.unseen.map { "<div class=\"unseen\">Not seen: \(escaped($0)).</div>" } ?? ""
        return "<tr><th scope=\"row\">\(escaped(fact.name))</th><td>\(escaped(fact.value))\(unseen)</td></tr>"
      }.joined() + "</table>"
  }

  private func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private func escaped(_ text: String) -> String { xmlText(visibleText(text)) }

  private static let style = """
    :root{--paper:#fff;--ink:#1f2733;--soft:#5b6472;--line:#dfe4ea;--bar:#3566c0;--good:#1f7a46;--bad:#b3261e}
    @media(prefers-color-scheme:dark){:root{--paper:#14181f;--ink:#e8ecf2;--soft:#a3adba;--line:#2b323d;--bar:#7ba4ee;--good:#6fce97;--bad:#ff8a80}}
    body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:52rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
    h1{margin:0 0 .5rem;font-size:1.7rem}h2{margin:2rem 0 .25rem;font-size:1.15rem}p{margin:.25rem 0}
    .lead,.unseen,dt{color:var(--soft)}.unseen{font-size:.875rem}
    .origin{padding:.1rem .5rem;border:1px solid var(--line);border-radius:1rem;color:var(--soft);font-size:.75rem;font-weight:400;white-space:nowrap}
    .conclusions{margin:1rem 0;padding:0;list-style:none}.conclusions li{margin:.5rem 0;padding:.5rem .75rem;border-left:.25rem solid var(--soft)}
    .conclusions .holds{border-color:var(--good)}.conclusions .holds b{color:var(--good)}
    .conclusions .fails{border-color:var(--bad)}.conclusions .fails b{color:var(--bad)}
    dl{display:flex;flex-wrap:wrap;gap:.25rem 2rem;margin:.5rem 0}dt{font-size:.8rem}dd{margin:0;font-size:1.25rem;font-variant-numeric:tabular-nums}
    svg{display:block;width:100%;height:auto}.bar{fill:var(--bar)}.point{fill:var(--bar)}.grid{stroke:var(--line)}.label{fill:var(--soft);font:13px system-ui,sans-serif}
    @media(max-width:30rem){.label{font-size:20px}}
    table{width:100%;border-collapse:collapse}th,td{padding:.3rem .5rem .3rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400;overflow-wrap:anywhere}
    th{width:35%;color:var(--soft)}
    """
}
