import Foundation
import Testing

/// The version at the top of CHANGELOG.md, be it released or not.
struct Changelog {
    /// As in "0.1.0".
    let version: String

    /// As manual pages have it: "November 22, 2026".
    let day: String

    /// Throws if the first heading is not a version with a day, as in `## 0.1.0 - 2026-11-22`.
    init() throws {
        let page = try DocumentationPage(path: "CHANGELOG.md")
        let heading = try #require(page.lines.first { $0.hasPrefix("## ") })
        let parts = try #require(heading.wholeMatch(of: /## ([0-9.]+) - ([0-9]{4}-[0-9]{2}-[0-9]{2})/), "\(heading)")
        version = String(parts.1)
        let day = try Date.ISO8601FormatStyle().year().month().day().parse(String(parts.2))
        self.day = day.formatted(
            Date.VerbatimFormatStyle(
                format: "\(month: .wide) \(day: .defaultDigits), \(year: .defaultDigits)",
                locale: Locale(identifier: "en_US"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    }
}
