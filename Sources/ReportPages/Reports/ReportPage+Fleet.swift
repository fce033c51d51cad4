import FoundationEssentials
import PersistentStores
public import StoreFleets

extension ReportPage {
    /// Makes the page of a fleet, with the current state of its stores.
    ///
    /// - Parameters:
    ///   - report: the stores by outcome, versions, sizes and times.
    ///   - tool: the name and version of the program, as in `ferry 0.1.0`, for the foot of the page.
    public init(_ report: FleetReport, tool: String) {
        let status = report.status
        let outcome: Outcome =
            status.failed > 0 ? .failed : status.pending > 0 || report.warnings > 0 ? .findings : .done
        let verdict = status.description.split(separator: "\n").first.map(String.init) ?? ""
        self.init(
            "Fleet \(report.manifest), to \(report.operation.rawValue)", outcome, verdict: verdict + ".", tool: tool,
            sections: [
                Self.section("versions", "Versions", Self.versions(report)),
                .findings(
                    report.reasons.map { PageFinding($0) } + report.findings.map { PageFinding($0) }),
                Self.section("again", "To run again", Self.shards(report)),
                PageSection(
                    "figures", "Figures",
                    [
                        .facts([
                            .init("Stores", Quantity.count(status.total)), .init("Done", Quantity.count(status.done)),
                            .init("Failed", Quantity.count(status.failed)),
                            .init("Pending", Quantity.count(status.pending)),
                            .init("Objects", report.objects > 0 ? Quantity.count(report.objects) : "not counted"),
                            .init("Size", Quantity.bytes(report.bytes)),
                            .init("Time", Quantity.duration(report.secondsElapsed)),
                            .init("Work of all jobs", Quantity.duration(report.secondsOfWork)),
                        ])
                    ]),
                Self.section("sizes", "Sizes", Self.sizes(report)),
                Self.section("times", "Times", Self.times(report)),
                Self.section("throughput", "Throughput", Self.throughput(report)),
                Self.section("slowest", "Slowest stores", Self.slowest(report)),
            ])
    }

    /// Returns nil for a table without rows.
    private static func section(_ anchor: String, _ heading: String, _ table: PageTable) -> PageSection? {
        table.rows.isEmpty ? nil : PageSection(anchor, heading, [.table(table)])
    }

    private static func versions(_ report: FleetReport) -> PageTable {
        var table = PageTable("Stores by version", ["Before", "After", "Stores"], numbers: [2])
        table.rows = report.changes.map { [$0.from ?? "?", $0.to ?? "?", Quantity.count($0.stores)] }
        return table
    }

    private static func shards(_ report: FleetReport) -> PageTable {
        var table = PageTable(
            "Shards with stores that are not done", ["Shard", "Pending", "May pass"], numbers: [1, 2])
        table.rows = report.again.map {
            ["--shard \($0.shard)/\(report.shards)", Quantity.count($0.pending), Quantity.count($0.temporary)]
        }
        return table
    }

    private static func sizes(_ report: FleetReport) -> PageTable {
        var table = PageTable("Stores by size", ["Size", "Stores"], numbers: [1])
        table.rows = report.sizes.map { ["below " + bytes($0.below), Quantity.count($0.stores)] }
        return table
    }

    private static func times(_ report: FleetReport) -> PageTable {
        var table = PageTable("Stores by time", ["Time", "Stores"], numbers: [1])
        table.rows = report.times.map { ["below \($0.below) s", Quantity.count($0.stores)] }
        return table
    }

    private static func throughput(_ report: FleetReport) -> PageTable {
        var table = PageTable(
            "Stores that came to an end", ["From (UTC)", "Stores", "Stores/s", "Bytes/s"], numbers: [1, 2, 3])
        table.rows = report.throughput.map { interval in
            [
                Date(timeIntervalSince1970: interval.start).ISO8601Format(), Quantity.count(interval.stores),
                Quantity.decimal(Double(interval.stores) / interval.seconds, 2),
                bytes(Double(interval.bytes) / interval.seconds),
            ]
        }
        return table
    }

    private static func slowest(_ report: FleetReport) -> PageTable {
        var table = PageTable("The slowest first", ["Store", "Time", "Size", "Shard"], numbers: [1, 2, 3])
        table.rows = report.stragglers.map {
            [$0.store, Quantity.duration($0.seconds), Quantity.bytes($0.bytes), String($0.shard)]
        }
        return table
    }

    /// Returns a size as text. Limits of bins, and rates, can exceed the range of integers.
    private static func bytes(_ count: Double) -> String { Quantity.bytes(Int64(min(max(0, count), 9e18))) }
}

extension PageFinding {
    /// Makes a finding from a reason for failed stores.
    init(_ reason: FleetReport.Reason) {
        self.init(.error, reason.reason, reason.message)
        name = reason.isTemporary ? "may pass" : nil
        count = reason.stores
        examples = reason.examples
    }

    /// Makes a finding from that of an operation on stores.
    init(_ finding: FleetReport.Finding) {
        self.init(
            Severity(rawValue: finding.severity) ?? .note, finding.code,
            "in \(Quantity.count(finding.stores, "store"))")
        count = finding.count > 0 ? finding.count : nil
    }
}
