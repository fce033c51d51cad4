import Foundation
import ReportPages
import TestSupport
import Testing

/// Pages in Chromium: nothing is wider than the window, every link leads somewhere, and texts can be read.
@Suite(.serialized, .enabled(if: Browser.name != nil, "Chromium is not installed"))
struct PageInBrowserTests {
    /// Looks at the page in frames of three widths and puts what it finds into the document, which the browser prints.
    private static let measure = """
        <script>
        function channel(v) { v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); }
        function light(c) { return 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]); }
        function colour(t) { return t.match(/[0-9.]+/g).map(Number); }
        function behind(e) { for (; e; e = e.parentElement) { const c = colour(getComputedStyle(e).backgroundColor);
          if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; }
        const found = [];
        const root = document.documentElement;
        if (root.scrollWidth > root.clientWidth) found.push("overflow " + root.scrollWidth);
        for (const a of document.querySelectorAll("a")) {
          if (!document.getElementById(a.getAttribute("href").slice(1))) found.push("link " + a.href); }
        let looked = 0;
        for (const e of document.body.querySelectorAll("*")) {
          if (e.closest("svg, script") || !Array.from(e.childNodes).some(n => n.nodeType == 3 && n.data.trim())) continue;
          const a = light(colour(getComputedStyle(e).color)), b = light(behind(e));
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          looked += 1;
          if (contrast < 4.5) found.push("contrast " + contrast.toFixed(2) + " " + e.tagName + " " + e.className); }
        const dark = matchMedia("(prefers-color-scheme: dark)").matches;
        root.innerHTML = "<p>RESULT " + (dark ? "dark" : "light") + " " + root.clientWidth + " "
          + (looked > 10 ? "looked" : "empty") + " [" + found.join("; ") + "]</p>";
        </script>
        """

    @Test(.long, arguments: PageExample.allCases, [500, 800, 1400])
    func aPageCanBeReadInEveryWindow(example: PageExample, width: Int) throws {
        let directory = try TemporaryDirectory()
        let html = try example.page(in: directory).html()
        let path = try directory.write(html.replacing("</body>", with: Self.measure + "</body>"), to: "page.html")
        for (scheme, number) in [("light", 1), ("dark", 0)] {
            let run = try ToolProcess.run(
                "/usr/bin/env",
                [
                    "timeout", "60", try #require(Browser.name), "--headless", "--no-sandbox", "--disable-gpu",
                    "--hide-scrollbars",
                    "--user-data-dir=\(directory.file("profile"))", "--window-size=\(width),900",
                    "--blink-settings=preferredColorScheme=\(number)", "--dump-dom", "file://" + path,
                ])
            #expect(run.output.contains("RESULT \(scheme) \(width) looked []"), "\(run.output.prefix(600))")
        }
    }
}
