import PersistentStores
import StoreMigration
import TextEncodings

extension ReportPage {
    /// Returns the version hash of each entity in each of one or more versions.
    static func hashes(_ versions: [VersionedModel]) -> PageSection {
        let facts = versions.flatMap { version in
            [
                PageSection.Fact("\(version.name), digest", version.digest),
                PageSection.Fact("\(version.name), checksum", version.checksum),
                PageSection.Fact("\(version.name), file", version.path),
            ]
        }
        var table = PageTable("Version hashes of the entities", ["Entity"] + versions.map(\.name))
        for entity in Set(versions.flatMap(\.hashes.keys)).sorted() {
            table.rows.append([entity] + versions.map { $0.hashes[entity].map(Hexadecimal.encode) ?? "-" })
        }
        return PageSection("versions", "Versions and hashes", [.facts(facts), .table(table)])
    }

    /// Returns the rows or records per second; a dash if the time was too short to measure.
    static func rate(_ count: Int64, _ seconds: Double) -> String {
        let rate = (Double(count) / seconds).rounded()
        guard seconds > 0, let whole = Int64(exactly: rate) else { return "-" }
        return Quantity.count(whole) + "/s"
    }
}
