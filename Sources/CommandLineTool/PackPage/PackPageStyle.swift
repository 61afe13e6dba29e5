// SPDX-License-Identifier: Apache-2.0

import PatternTools

/// What a pack's page looks like, on light paper and on dark: a viewer says which it wants.
enum PackPageStyle {
  static let text = rules + sharpness

  private static let rules = """

    :root{color-scheme:light dark;--paper:#f4f6f9;--card:#fff;--ink:#1f2733;--faint:#5b6472;--line:#dfe4ea;--sound:#2f6fd0;\
    --music:#218a4c;--touch:#c2418e;--stop:#c0392b;--parameter:#a8741a;--loop:#2f6fd018}
    @media (prefers-color-scheme:dark){:root{--paper:#0e1116;--card:#181d25;--ink:#e8ecf2;--faint:#a3adba;--line:#2b323d;\
    --sound:#6ea8ff;--music:#5cc98a;--touch:#f08cc4;--stop:#ff8a7a;--parameter:#e6b45c;--loop:#6ea8ff22}.feel{filter:brightness(1.5)}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
    main{max-width:1040px;margin:0 auto;padding:24px 16px 40px}
    h1{font-size:26px;margin:0}header p,footer{color:var(--faint);margin:2px 0 0}
    h2{font-size:17px;margin:30px 0 10px}h2 small{color:var(--faint);font-weight:400}
    h3{font-size:15px;margin:0 0 6px}
    footer{margin-top:36px;font-size:13px}
    .grid{display:grid;gap:12px;grid-template-columns:repeat(auto-fill,minmax(min(100%,215px),1fr))}
    .wide{display:grid;gap:12px;grid-template-columns:minmax(0,1fr)}
    article{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px;min-width:0}
    .details{margin:6px 0 0;color:var(--faint);font-size:13.5px}
    .details span{display:inline-block}.details span:not(:last-child)::after{content:" \\b7"}
    .scale{display:flex;justify-content:space-between;margin:2px 0 0;color:var(--faint);font-size:12px}
    .scale.inset{margin-left:98px}
    svg{display:block;width:100%}
    .wave{height:44px}#tracks .wave{height:84px}.feel{height:64px;border-bottom:1px solid var(--line)}
    .sound path,.wave .sound{fill:var(--sound)}.loop{fill:var(--loop);stroke:var(--sound)}
    .mark,.beats path,.feel [class^=t]{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}
    .mark{stroke:var(--parameter)}.loop{stroke-width:1;vector-effect:non-scaling-stroke}
    .lane{display:flex;align-items:center;gap:10px;margin:2px 0}.lane span{flex:0 0 88px;font-size:13px;color:var(--faint);\
    white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
    .beats{height:18px;background:var(--paper);border-radius:3px}.beats path{stroke:var(--sound)}.beats .b1{stroke-width:3}\
    .beats .b2{stroke-width:4}
    .step{display:grid;grid-template-columns:72px minmax(0,1fr) minmax(0,1.2fr);gap:10px;align-items:center;margin-top:5px;\
    font-size:14px}
    .step.alone{display:block}.step b{font-weight:400;color:var(--faint);text-align:right;font-size:13px}
    .bar{display:block;height:12px;background:var(--paper);border-radius:3px;overflow:hidden}
    .bar i{display:block;height:100%;min-width:4px;border-radius:3px;background:var(--now)}
    .bar i.on{background:linear-gradient(90deg,var(--now),transparent)}
    .step.sound{--now:var(--sound)}.step.touch{--now:var(--touch)}.step.music{--now:var(--music)}.step.stop{--now:var(--stop)}\
    .step.parameter{--now:var(--parameter)}.step.faulty{--now:var(--faint)}.step>span:last-child{color:var(--now)}
    .said{border-left:4px solid var(--parameter);padding:1px 14px;margin-top:16px;background:var(--card)}\
    .said.problem{border-color:var(--stop)}.said h2{margin:8px 0}.said ul{margin:0 0 10px;padding-left:18px}
    @media (max-width:560px){.step{grid-template-columns:60px minmax(0,1fr);row-gap:0;margin-top:9px}.step>span:last-child{grid-column:2}\
    .step.alone>span{grid-column:auto}.lane span{flex-basis:56px}.scale.inset{margin-left:66px}}

    """

  /// A class for each step of sharpness: of what is steady, and of taps.
  private static let sharpness =
    (0..<PackPageSVG.sharpnessSteps).map { step in
      let colour = HapticPicture.colour((Double(step) + 0.5) / Double(PackPageSVG.sharpnessSteps))
      return ".s\(step){fill:\(colour)}.t\(step){stroke:\(colour)}"
    }.joined(separator: "\n") + "\n"
}
