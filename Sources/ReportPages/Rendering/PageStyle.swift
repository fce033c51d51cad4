/// The style sheet of pages. All text colors have a contrast of at least 4.5 with their background, in light and dark
/// mode.
enum PageStyle {
    static let text = """
        :root { color-scheme: light dark; --back: #ffffff; --text: #1f2328; --quiet: #57606a; --line: #d0d7de;
          --box: #f6f8fa; --link: #0550ae; --done: #116329; --findings: #7a4e00; --failed: #a40e26; }
        @media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --quiet: #9da7b3;
          --line: #3d444d; --box: #161b22; --link: #79c0ff; --done: #56d364; --findings: #e3b341;
          --failed: #ff9a92; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--text);
          font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
        main, footer { max-width: 70rem; margin: 0 auto; padding: 1rem; }
        footer { color: var(--quiet); border-top: 1px solid var(--line); }
        h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.25rem; margin-top: 2rem; }
        h3 { font-size: 1rem; margin-bottom: 0.25rem; }
        a { color: var(--link); }
        .verdict { background: var(--box); border-left: 0.4rem solid; padding: 0.75rem 1rem; font-size: 1.1rem; }
        .verdict.done { border-color: var(--done); } .verdict.done strong { color: var(--done); }
        .verdict.findings { border-color: var(--findings); } .verdict.findings strong { color: var(--findings); }
        .verdict.failed { border-color: var(--failed); } .verdict.failed strong { color: var(--failed); }
        nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
        dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.25rem 1rem; }
        dt { color: var(--quiet); } dd { margin: 0; }
        .scroll { overflow-x: auto; max-width: 100%; }
        .drawing { background: #ffffff; border: 1px solid var(--line); }
        .chart svg { display: block; width: 100%; min-width: 24rem; max-width: 45rem; height: auto; }
        .chart .series { fill: none; stroke: var(--link); stroke-width: 2; stroke-linejoin: round; }
        .chart .axis { fill: none; stroke: var(--quiet); stroke-width: 1; }
        .chart .stage { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 3 3; }
        .chart text { fill: var(--text); font-size: 12px; }
        table { border-collapse: collapse; overflow-wrap: normal; width: max-content; max-width: 100%; }
        caption { text-align: left; color: var(--quiet); padding-bottom: 0.25rem; }
        th, td { max-width: 30rem; overflow-wrap: break-word; text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0;
          border-bottom: 1px solid var(--line); }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; }
        .badge { border: 1px solid; border-radius: 0.25rem; padding: 0 0.4rem; font-size: 0.85rem; }
        .badge.error { color: var(--failed); } .badge.warning { color: var(--findings); }
        .badge.note, .badge.silenced, .count { color: var(--quiet); }
        @media screen and (max-width: 40rem) { table { max-width: none; } }
        @media print { :root { --back: #ffffff; --text: #000000; --quiet: #444444; --line: #999999; --box: #ffffff;
          --link: #000000; --done: #116329; --findings: #7a4e00; --failed: #a40e26; }
          nav { display: none; } main, footer { max-width: none; padding: 0; } .scroll { overflow: visible; }
          table { width: 100%; font-size: 0.75rem; }
          .drawing svg { max-width: 100%; height: auto; } tr, li { break-inside: avoid; } }
        """
}
